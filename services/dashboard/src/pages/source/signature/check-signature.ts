import { type Bytes, type Slip, slipsOf } from '@sluice/signature/slips';

/** The request as a sender signed and sent it. The body is the exact text. */
export interface Signed {
  readonly body: string;
  /** The header X-Service-Timestamp. */
  readonly timestamp: string;
  /** The header X-Service-Signature. */
  readonly signature: string;
  readonly secret: string;
}

export interface SignatureCheck {
  /** The header that the request must have. */
  readonly expected: string;
  readonly matches: boolean;
  /** The likely mistake in a sentence; null: none is known, or the signature matches. */
  readonly slip: string | null;
}

const PREFIX = 'sha256=';

/** Computes the signature in the browser with WebCrypto, and looks for the mistake that explains another one. */
export async function checkSignature(signed: Signed): Promise<SignatureCheck> {
  const { body, timestamp, signature, secret } = signed;
  const expected = PREFIX + hex(await hmac(secret, `${timestamp}.${body}`));
  if (signature === expected) return { expected, matches: true, slip: null };
  return { expected, matches: false, slip: formSlip(signature, expected) ?? (await contentSlip(signed)) };
}

/** A right signature in another form. */
function formSlip(signature: string, expected: string): string | null {
  const given = signature.trim();
  if (given === '') return 'There is no signature. Paste the header X-Service-Signature.';
  if (given === expected) return 'The header has blanks or line breaks around the signature.';
  if (given === expected.slice(PREFIX.length)) return 'The header lacks sha256= before the digits.';
  if (given.toLowerCase() === expected) return 'The digits are in upper case. Send lower-case hex.';
  if (given.replace(PREFIX, '') === base64Of(expected.slice(PREFIX.length)))
    return 'The signature is in base64. Send hex.';
  return null;
}

/** The mistakes in what was signed, or in the secret that signed it. The webhook endpoint names the same ones. */
async function contentSlip({ body, timestamp, signature, secret }: Signed): Promise<string | null> {
  const given = signature.trim().toLowerCase().replace(PREFIX, '');
  const bare = secret.trim().replace(/^["']|["']$/g, '');
  const tries: readonly Slip[] = [
    {
      key: bare,
      signed: [`${timestamp}.${body}`],
      detail: 'The secret has quotes or blanks around it. Remove them.',
    },
    ...slipsOf({ secret: bare, timestamp, body: new TextEncoder().encode(body) }),
  ];
  for (const { key, signed, detail } of tries) if (hex(await hmac(key, ...signed)) === given) return detail;
  return null;
}

async function hmac(secret: Bytes, ...signed: readonly Bytes[]): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  // WebCrypto accepts no empty key, and HMAC pads a short key with zeros: one zero byte is the same key.
  const bytes = secret.length === 0 ? new Uint8Array(1) : bytesOf(secret);
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const parts = await new Blob(signed.map(bytesOf)).arrayBuffer();
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, parts));
}

function bytesOf(text: Bytes): Uint8Array<ArrayBuffer> {
  return typeof text === 'string' ? new TextEncoder().encode(text) : new Uint8Array(text);
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64Of(digits: string): string {
  const bytes = digits.match(/../g) ?? [];
  return btoa(String.fromCharCode(...bytes.map((pair) => Number.parseInt(pair, 16))));
}
