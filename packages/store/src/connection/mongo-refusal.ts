import mongoose from 'mongoose';
import { isMisuse, isMongoAway } from './mongo-away.ts';

const { mongo } = mongoose;

/** MongoDB responds and refuses the connection, or the URL is unusable. Waiting doesn't help. */
export interface MongoRefusal {
  /** The message of the server or the driver. */
  readonly said: string;
  /** How to fix it, in one sentence. */
  readonly advice: string;
}

const CREDENTIALS =
  'The user or the password is wrong: correct MONGO_URL (mongodb://USER:PASSWORD@host/DATABASE; add ?authSource=admin if the user was created in admin; percent-encode @ : / in the password).';
const PERMISSION =
  'The user of MONGO_URL lacks permission: grant it the roles readWrite and dbAdmin on the database of MONGO_URL (without one: the database named by SLUICE_NAMESPACE). If MONGO_URL has no user and password, add them.';

/** Advice by MongoDB's error codes. The hosted service uses 8000 for every refusal. */
const ADVICE: ReadonlyMap<unknown, string> = new Map([
  [13, PERMISSION],
  [18, CREDENTIALS],
  [8000, `${CREDENTIALS} Or: ${PERMISSION}`],
]);

const URL_ADVICE =
  'Correct MONGO_URL: check the options after the ? (mongodb.com/docs/manual/reference/connection-string-options), and that each file they name is readable.';

/** No connection is possible with this URL, independent of the server. */
export class UnusableUrlError extends Error {
  override readonly name = 'UnusableUrlError';
}

/**
 * Returns UnusableUrlError if the driver rejected the URL: an option, or a file that an option names. Else the same
 * error.
 */
export function explained(error: unknown): unknown {
  return isMisuse(error) || isUnreadableFile(error)
    ? new UnusableUrlError((error as Error).message, { cause: error })
    : error;
}

/** A missing socket has the same error codes, but its syscall is `connect`. */
const isUnreadableFile = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'open';

/** The refusal in an error, if an operator can fix it; else undefined. */
export function mongoRefusal(error: unknown): MongoRefusal | undefined {
  if (error instanceof UnusableUrlError) return { said: error.message, advice: URL_ADVICE };
  if (!(error instanceof mongo.MongoServerError)) return undefined;
  const advice = ADVICE.get(error.code);
  return advice === undefined ? undefined : { said: error.message, advice };
}

/** Log fields for an error of the store: with advice if known, and with the stack if the error is unknown. */
export function errorFields(error: unknown): object {
  const refusal = mongoRefusal(error);
  if (refusal !== undefined) return { reason: refusal.said, advice: refusal.advice };
  return error instanceof Error && isMongoAway(error) ? { reason: error.message } : { err: error };
}
