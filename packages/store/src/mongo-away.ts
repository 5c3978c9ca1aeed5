import mongoose from 'mongoose';

const { mongo } = mongoose;

/**
 * Server errors that pass by themselves, or once an operator has acted: no primary for now, shutting down, out of time,
 * a majority out of reach, a cursor that went with its server, no room for more, a user that may not (mongo-refusal.ts).
 * Of a router: 133, a shard has no primary for now, and 202, one does not answer.
 */
const PASSING: ReadonlySet<number> = new Set([
  6, 7, 13, 18, 43, 50, 63, 64, 89, 91, 133, 134, 189, 202, 262, 8000, 9001, 10107, 11600, 11602, 13435,
  13436, 14031,
]);

/** What the store throws where it was never connected so far. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';

  constructor() {
    super('not connected to MongoDB yet');
  }
}

/** Whether an error of the store means that MongoDB is away, so that the same may work later. */
export function isMongoAway(error: unknown): boolean {
  if (error instanceof NotConnectedError || error instanceof mongoose.Error.MongooseServerSelectionError)
    return true;
  // Mongoose has no class or code for it; a test holds the wording.
  if (error instanceof mongoose.Error) return error.message.includes('before initial connection');
  // What cuts a bulk write short, such as a lost connection, is wrapped in an error that looks like a server's.
  if (error instanceof mongo.MongoBulkWriteError && error.errorResponse instanceof Error)
    return isMongoAway(error.errorResponse);
  if (error instanceof mongo.MongoServerError) return PASSING.has(Number(error.code));
  // Of the driver's own errors, all but wrong use of it say that no server could be reached.
  return error instanceof mongo.MongoError && !isMisuse(error);
}

/** Whether the driver was used wrongly, such as with a URL that it cannot read. */
export function isMisuse(error: unknown): boolean {
  if (error instanceof mongo.MongoParseError) return true;
  return error instanceof mongo.MongoAPIError && !isClosed(error);
}

function isClosed(error: Error): boolean {
  return error instanceof mongo.MongoNotConnectedError || error instanceof mongo.MongoClientClosedError;
}
