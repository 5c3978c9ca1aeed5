import { Secret, TOTP } from 'otpauth';

/** The defaults of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** 160 bits, the length of the hash (RFC 4226, section 4). */
const KEY_BYTES = 20;

/** Also accepts the code of one time step before or after: clocks differ, and typing takes time. */
const WINDOW = 1;

/** Creates a key in base 32. */
export function newTotpKey(): string {
  return new Secret({ size: KEY_BYTES }).base32;
}

/** The key as a URI for a QR code: `otpauth://totp/…`. */
export function totpUri(key: string, email: string, issuer: string): string {
  return new TOTP({ ...SETTINGS, issuer, label: email, secret: Secret.fromBase32(key) }).toString();
}

/** Whether the text is six digits, as apps show them: `123 456`. No recovery code has this form. */
export function looksLikeAppCode(code: string): boolean {
  return /^\d{6}$/.test(digitsOf(code));
}

const digitsOf = (code: string) => code.replace(/\s/g, '');

/** The time step of a code; undefined if it is not a code of this key around `now` (Unix milliseconds). */
export function stepOfCode(key: string, code: string, now: number): number | undefined {
  const token = digitsOf(code);
  const delta = TOTP.validate({
    ...SETTINGS,
    token,
    secret: Secret.fromBase32(key),
    timestamp: now,
    window: WINDOW,
  });
  if (delta === null) return undefined;
  return TOTP.counter({ period: SETTINGS.period, timestamp: now }) + delta;
}
