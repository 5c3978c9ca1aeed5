import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Profile } from './profile.ts';

export const MIN_SECRET_LENGTH = 12;
export const MAX_SECRET_LENGTH = 512;

/** Says why a text cannot be the secret of a profile, and never repeats a part of it; null: it can. */
export function describeSecretFault(profile: Profile, secret: string): string | null {
  if (/[\r\n]/.test(secret)) return 'The secret has a line break. Copy only the secret.';
  if (secret !== secret.trim()) return 'The secret has a blank at its start or end. Remove it.';
  const { length } = secret;
  if (length < MIN_SECRET_LENGTH || length > MAX_SECRET_LENGTH)
    return `The secret has ${length} characters. It needs ${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH}.`;
  if (profile.kind !== 'hmac' || FORMS[profile.key.encoding].test(strippedSecret(profile, secret)))
    return null;
  const { encoding, strip } = profile.key;
  return `The secret is not ${encoding}${strip ? ` after ${strip}` : ''}. Copy it from the sender again.`;
}

const FORMS = {
  text: /^/,
  // Whole groups of four: most libraries that sign like this refuse others.
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  hex: /^(?:[0-9a-fA-F]{2})+$/,
} as const;

/** The key of a secret. A KeyObject never shows its bytes in a log line or an error. */
export function senderKey(profile: Profile, secret: string): KeyObject {
  if (profile.kind !== 'hmac' || profile.key.encoding === 'text')
    return createSecretKey(profile.kind === 'hmac' ? strippedSecret(profile, secret) : secret, 'utf8');
  return createSecretKey(strippedSecret(profile, secret), profile.key.encoding);
}

function strippedSecret(profile: Profile, secret: string): string {
  const strip = profile.kind === 'hmac' ? (profile.key.strip ?? '') : '';
  return secret.startsWith(strip) ? secret.slice(strip.length) : secret;
}
