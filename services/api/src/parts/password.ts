import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { HashesWaitingError } from '../http/refusal-of.ts';

/** The cost of one hash: 2^logN times r times 128 bytes of memory, p times. */
export interface PasswordCost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's recommendation for scrypt with 32 MiB (Password Storage Cheat Sheet). */
export const PASSWORD_COST: PasswordCost = { logN: 15, r: 8, p: 3 };

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Hashes a password for storage: `$scrypt$ln=…,r=…,p=…$salt$hash`. Contains everything needed to check it. */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await inHashTurn('known', () => derive(password, salt, HASH_BYTES, cost));
  return `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${unpadded(salt)}$${unpadded(hash)}`;
}

/**
 * Whether the password matches the stored hash. The comparison is constant-time.
 * @throws HashesWaitingError if too many checks wait.
 */
export async function checkPassword(
  password: string,
  stored: string,
  asker: Asker = 'known',
): Promise<boolean> {
  const [, logN, r, p, salt, hash] = PHC.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64');
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const derived = () => derive(password, Buffer.from(salt, 'base64'), expected.length, cost);
  return timingSafeEqual(expected, await inHashTurn(asker, derived));
}

function derive(
  password: string,
  salt: Buffer,
  length: number,
  { logN, r, p }: PasswordCost,
): Promise<Buffer> {
  const N = 2 ** logN;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    // Other systems may compose the same characters differently.
    scrypt(password.normalize('NFC'), salt, length, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** Hashes under way in one process. More would keep files, compression and name lookups from the four threads of its pool. */
const AT_ONCE = 2;

/** Hashes that wait, for each kind of asker: about three seconds of work. */
const MOST_WAITING = 20;

/** `known`: a session, a link or a browser was checked before. It passes each `stranger`, who knows no more than the address. */
export type Asker = 'known' | 'stranger';

let running = 0;
const waiting: Record<Asker, (() => void)[]> = { known: [], stranger: [] };

/**
 * Runs the work that hashes one password, once a turn is free. The limit is a process's, like the threads that it protects.
 * @throws HashesWaitingError at once, if too many wait.
 */
async function inHashTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1;
  else if (waiting[asker].length >= MOST_WAITING) throw new HashesWaitingError();
  // The one before passes its turn on.
  else await new Promise<void>((resolve) => waiting[asker].push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.known.shift() ?? waiting.stranger.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
