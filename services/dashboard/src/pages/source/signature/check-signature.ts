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
const SECRET_PREFIX = 'whsec_';

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

/** The mistakes in what was signed, or in the secret that signed it. */
async function contentSlip({ body, timestamp, signature, secret }: Signed): Promise<string | null> {
  const given = signature.trim().toLowerCase().replace(PREFIX, '');
  const right = `${timestamp}.${body}`;
  const bare = secret.trim().replace(/^["']|["']$/g, '');
  const tries: readonly (readonly [slip: string, secret: string, text: string])[] = [
    ['The body alone was signed. Sign the timestamp, a dot and the body.', secret, body],
    ['The dot between timestamp and body is missing.', secret, timestamp + body],
    ['The body was signed before the timestamp.', secret, `${body}.${timestamp}`],
    ['The secret has a line break at its end. Remove it.', `${secret}\n`, right],
    ['The secret has quotes or blanks around it. Remove them.', bare, right],
    ['The secret lacks its prefix whsec_.', bare.replace(SECRET_PREFIX, ''), right],
    ['The body was signed with a line break at its end, which was not sent.', secret, `${right}\n`],
    ['The body was sent with a line break at its end, which was not signed.', secret, right.trimEnd()],
    ...reformatted(body).map(
      (text) =>
        [
          'The body was reformatted after it was signed. Sign the exact bytes that are sent.',
          secret,
          `${timestamp}.${text}`,
        ] as const,
    ),
  ];
  for (const [slip, key, text] of tries) if (hex(await hmac(key, text)) === given) return slip;
  return null;
}

/** The body as JSON libraries often write it. */
function reformatted(body: string): string[] {
  try {
    const value: unknown = JSON.parse(body);
    const compact = JSON.stringify(value);
    const spaced = JSON.stringify(value, null, 1)
      .replace(/\n */g, ' ')
      .replace(/([[{]) | ([\]}])/g, '$1$2');
    return [compact, JSON.stringify(value, null, 2), JSON.stringify(value, null, 4), spaced];
  } catch {
    return [];
  }
}

async function hmac(secret: string, text: string): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  // WebCrypto accepts no empty key, and HMAC pads a short key with zeros: one zero byte is the same key.
  const bytes = secret === '' ? new Uint8Array(1) : encoder.encode(secret);
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function base64Of(digits: string): string {
  const bytes = digits.match(/../g) ?? [];
  return btoa(String.fromCharCode(...bytes.map((pair) => Number.parseInt(pair, 16))));
}
