/** A body and the headers that its sender must send with exactly these bytes. */
export interface SignedEvent {
  readonly body: string | Uint8Array;
  readonly headers: {
    readonly 'Content-Type': 'application/json';
    readonly 'X-Service-Timestamp': string;
    readonly 'X-Service-Signature': string;
  };
}

export interface SignOptions {
  /** The signing secret as the dashboard shows it, `whsec_` included. */
  readonly secret: string;
  /** The time of the signature, milliseconds since the Unix epoch. Default: now. */
  readonly at?: number;
}

/**
 * Signs a request to an event source or channel: HMAC-SHA256 of `<timestamp>.<body>`. An object is written as JSON first; text
 * and bytes are signed unchanged.
 * @throws TypeError if the secret is empty.
 */
export async function signEvent(
  action: object | string | Uint8Array,
  { secret, at = Date.now() }: SignOptions,
): Promise<SignedEvent> {
  if (typeof secret !== 'string' || secret.trim() === '')
    throw new TypeError('secret is empty. Is the variable set that it is read from?');
  const body = typeof action === 'string' || action instanceof Uint8Array ? action : JSON.stringify(action);
  const timestamp = String(Math.floor(at / 1000));
  // A secret that was read from a file has a last newline.
  const signature = await hmac(secret.trim(), concat(encode(`${timestamp}.`), encode(body)));
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Timestamp': timestamp,
      'X-Service-Signature': `sha256=${hex(signature)}`,
    },
  };
}

async function hmac(secret: string, text: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, text));
}

function encode(text: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(typeof text === 'string' ? new TextEncoder().encode(text) : text);
}

function concat(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
