import mongoose from 'mongoose';
import { isMisuse, isMongoAway } from './mongo-away.ts';

const { mongo } = mongoose;

/** A MongoDB that is there and will not have us, or a URL with which nobody is asked: waiting does not help. */
export interface MongoRefusal {
  /** Its own words, or its driver's. */
  readonly said: string;
  /** What to do about it, in a sentence. */
  readonly advice: string;
}

const CREDENTIALS =
  'It knows no such user with that password: correct MONGO_URL (mongodb://USER:PASSWORD@host/DATABASE?authSource=admin where the user was made in admin; @ : / in a password percent-encoded).';
const PERMISSION =
  'Its user may not do this: give it the roles readWrite and dbAdmin on the database of MONGO_URL (that of SLUICE_NAMESPACE where it names none); one without user and password needs them.';

/** By MongoDB's error codes; 8000 is that of its hosted service, whatever it refuses. */
const ADVICE: ReadonlyMap<unknown, string> = new Map([
  [13, PERMISSION],
  [18, CREDENTIALS],
  [8000, `${CREDENTIALS} Or: ${PERMISSION}`],
]);

const URL_ADVICE =
  'Correct MONGO_URL: behind its ? stand options of the driver (mongodb.com/docs/manual/reference/connection-string-options), and a file that one names must be there to be read.';

/** No connection can be made with this URL, whatever the server does. */
export class UnusableUrlError extends Error {
  override readonly name = 'UnusableUrlError';
}

/** The same error, or what it means where the driver refused the URL by itself: an option, or a file that one names. */
export function explained(error: unknown): unknown {
  return isMisuse(error) || isUnreadableFile(error)
    ? new UnusableUrlError((error as Error).message, { cause: error })
    : error;
}

/** A socket that is not there has the same codes, but is connected to. */
const isUnreadableFile = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'open';

/** What a MongoDB refused, if that is something which an operator mends. */
export function mongoRefusal(error: unknown): MongoRefusal | undefined {
  if (error instanceof UnusableUrlError) return { said: error.message, advice: URL_ADVICE };
  if (!(error instanceof mongo.MongoServerError)) return undefined;
  const advice = ADVICE.get(error.code);
  return advice === undefined ? undefined : { said: error.message, advice };
}

/** How a log line tells of an error of the store: with advice where there is some, with a stack where we do not know it. */
export function toldOf(error: unknown): object {
  const refusal = mongoRefusal(error);
  if (refusal !== undefined) return { reason: refusal.said, advice: refusal.advice };
  return error instanceof Error && isMongoAway(error) ? { reason: error.message } : { err: error };
}
