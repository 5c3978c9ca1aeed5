import { mongo } from 'mongoose';

/** One operation of a bulk write that the server refused. */
export interface RefusedWrite {
  /** Place of the operation in the bulk. */
  readonly index: number;
  readonly code: number;
  readonly message: string;
}

export const DUPLICATE_KEY = 11000;

/** Whether a single write failed because its key is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/** What a document can be refused for whenever it is written; MongoDB's error codes. */
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

/** Whether writing the same again must fail the same. */
export function isNeverStorable(write: RefusedWrite): boolean {
  return NEVER_STORABLE.has(write.code);
}

/** What the server said, in one line. */
export function reasonOf({ code, message }: { readonly code?: unknown; readonly message: string }): string {
  return `MongoDB ${String(code)}: ${message}`;
}

/**
 * The operations of an unordered bulk write that the server refused one by one; all others took effect.
 * Throws the error itself where it says anything else: network, not primary, write concern, a command refused whole.
 */
export function refusedWrites(error: unknown): readonly RefusedWrite[] {
  if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
  // Then not even the operations without an error of their own are known to last.
  if (error.result.getWriteConcernError() !== undefined) throw error;
  const refused = [error.writeErrors].flat().map(({ index, code, errmsg }) => ({
    index,
    code,
    message: errmsg ?? 'no reason given',
  }));
  if (refused.length === 0) throw error;
  return refused;
}
