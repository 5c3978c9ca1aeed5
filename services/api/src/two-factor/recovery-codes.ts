import { createHash, randomBytes } from 'node:crypto';

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
