import { SIGNATURE_PREFIX } from './sign.ts';

const DIGEST_DIGITS = 64;

/** Explains to the sender why the form of a signature header is wrong; null if the form is right. */
export function describeSignatureForm(signature: string): string | null {
  if (!signature.startsWith(SIGNATURE_PREFIX))
    return `X-Service-Signature does not begin with ${SIGNATURE_PREFIX}.`;
  const digits = signature.slice(SIGNATURE_PREFIX.length);
  if (digits.length !== DIGEST_DIGITS) {
    return `X-Service-Signature has ${digits.length} characters after ${SIGNATURE_PREFIX}, not the ${DIGEST_DIGITS} hex digits of a SHA-256.`;
  }
  if (/^[0-9a-f]+$/.test(digits)) return null;
  return /^[0-9a-f]+$/i.test(digits)
    ? 'X-Service-Signature has upper-case hex digits. Send them in lower case.'
    : 'X-Service-Signature is not hex after sha256=. Encode the HMAC as hex, not as base64.';
}
