import { createHash, randomBytes } from 'node:crypto';
import { open } from '@sluice/credentials/seal';
import { totpContext } from '@sluice/credentials/totp-context';
import type { User } from '@sluice/store/users/users';
import { Secret, TOTP } from 'otpauth';
import { refuse } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';

type CodeChecked =
  | { readonly status: 'right'; readonly by: 'app' | 'recovery_code' }
  /** The code is wrong or was used before, or the user has no second factor. */
  | { readonly status: 'wrong' }
  /** The key was sealed with another SLUICE_SECRET_KEY, or is damaged. Recovery codes still work. */
  | { readonly status: 'unreadable' };

export const WRONG_CODE = refuse(
  'wrong_code',
  'This code is wrong or was used before. Wait for the next one in your app, or use a recovery code.',
);

export const UNREADABLE_KEY = refuse(
  'conflict',
  'Codes from your app cannot be checked because the key of this server has changed. Use a recovery code, or ask the operator to run `sluice member reset-two-factor EMAIL`.',
);

/** Whether it is an unused recovery code, as far as the user was read. */
export function isRecoveryCodeOf({ two_factor }: User, code: string): boolean {
  return !looksLikeAppCode(code) && two_factor?.recovery_hashes.includes(hashRecoveryCode(code)) === true;
}

/** Checks a code and uses it up: neither app codes nor recovery codes are accepted twice. */
export async function checkCode(deps: RouteDeps, user: User, code: string): Promise<CodeChecked> {
  const { user_id, two_factor } = user;
  if (two_factor === undefined) return { status: 'wrong' };
  if (!looksLikeAppCode(code)) {
    const isUnused = await deps.twoFactors.useRecoveryCode(user_id, hashRecoveryCode(code));
    return isUnused ? { status: 'right', by: 'recovery_code' } : { status: 'wrong' };
  }
  const opened = open(deps.keyring, totpContext(user_id), two_factor.sealed_key);
  if (opened.status !== 'opened') return { status: 'unreadable' };
  const step = stepOfCode(opened.secret, code, deps.now());
  if (step === undefined) return { status: 'wrong' };
  const isFirstUse = await deps.twoFactors.useStep(user_id, two_factor.sealed_key, step);
  return isFirstUse ? { status: 'right', by: 'app' } : { status: 'wrong' };
}

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
function looksLikeAppCode(code: string): boolean {
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

const COUNT = 10;
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Crockford's base 32, without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Creates ten codes of 80 bits, such as `4fbq-0qxn-3vyz-rk8m`: too many to guess from their hashes. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: COUNT }, newCode);
}

/** The stored hash of a code. Capitals, blanks and hyphens do not matter, nor `O` for `0`, nor `I` and `L` for `1`. */
export function hashRecoveryCode(code: string): string {
  const bare = code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
  return createHash('sha256').update(bare).digest('hex');
}

function newCode(): string {
  // 32 divides 256: each character is equally likely.
  const characters = [...randomBytes(GROUPS * GROUP_LENGTH)].map((byte) => ALPHABET.charAt(byte % 32));
  return Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-');
}
