import { mongo } from 'mongoose';

/** One refused operation of a bulk write. */
export interface RefusedWrite {
  /** Index of the operation in the bulk write. */
  readonly index: number;
  readonly code: number;
  readonly message: string;
}

export const DUPLICATE_KEY = 11000;

/** Whether a single write failed because its key already exists. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

const WRITE_CONFLICT = 112;

/**
 * Whether a single write collided with a concurrent one, so that a repeat may succeed. DocumentDB reports a deadlock of
 * PostgreSQL if two documents take two unique values in different order, or the constraint behind a unique index.
 */
export function isCollision(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && isCollided(error);
}

/** Whether one refused operation of a bulk write collided like this. */
export function isCollided({ code, message }: Pick<mongo.MongoServerError, 'code' | 'message'>): boolean {
  return code === WRITE_CONFLICT || /deadlock detected|violates exclusion constraint/.test(message);
}

/** MongoDB's error codes for a document that can never be stored. */
const NEVER_STORABLE: ReadonlySet<number> = new Set([
  2, // BadValue
  9, // FailedToParse
  14, // TypeMismatch
  22, // InvalidBSON
  28, // PathNotViable
  40, // ConflictingUpdateOperators
  52, // DollarPrefixedFieldName
  56, // EmptyFieldName
  57, // DottedFieldName
  66, // ImmutableField
  121, // DocumentValidationFailure
  10334, // BSONObjectTooLarge
  17280, // KeyTooLong
  17419, // resulting document larger than allowed
  17420, // document to upsert larger than allowed
]);

/** Whether a retry of the same write must fail in the same way. */
export function isNeverStorable(write: RefusedWrite): boolean {
  return NEVER_STORABLE.has(write.code);
}

/** The server's error in one line. */
export function reasonOf({ code, message }: { readonly code?: unknown; readonly message: string }): string {
  return `MongoDB ${String(code)}: ${message}`;
}

/**
 * The individually refused operations of an unordered bulk write; all others took effect.
 * Rethrows every other error: network, not primary, write concern, or a refused command.
 */
export function refusedWrites(error: unknown): readonly RefusedWrite[] {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
  // After a write concern error, even the successful operations may not be durable.
  if (error.result.getWriteConcernError() !== undefined) throw error;
  const refused = [error.writeErrors].flat().map(({ index, code, errmsg }) => ({
    index,
    code,
    message: errmsg ?? 'no reason given',
  }));
  if (refused.length === 0) throw error;
  return refused;
}
