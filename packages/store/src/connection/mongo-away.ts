import mongoose from 'mongoose';

const { mongo } = mongoose;

/**
 * Server errors that pass automatically, or once an operator has acted: no primary at the moment, shutdown, timeout, no
 * majority, a cursor lost with its server, no space, a user without permission (mongo-refusal.ts). A router reports 133
 * for a shard without a primary, and 202 for one that doesn't respond.
 */
const PASSING: ReadonlySet<number> = new Set([
  6, 7, 13, 18, 43, 50, 63, 64, 89, 91, 133, 134, 189, 202, 262, 8000, 9001, 10107, 11600, 11602, 13435,
  13436, 14031,
]);

/** Thrown by the store until the first connection succeeds. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';

  constructor() {
    super('not connected to MongoDB yet');
  }
}

/** Whether an error of the store means that MongoDB is unavailable, so that a retry may succeed. */
export function isMongoAway(error: unknown): boolean {
  if (error instanceof NotConnectedError || error instanceof mongoose.Error.MongooseServerSelectionError)
    return true;
  // Mongoose has no class or code for it. A test checks the wording.
  if (error instanceof mongoose.Error) return error.message.includes('before initial connection');
  // The driver wraps the cause of an interrupted bulk write, such as a lost connection, in an error like the server's.
  if (error instanceof mongo.MongoBulkWriteError && error.errorResponse instanceof Error)
    return isMongoAway(error.errorResponse);
  if (error instanceof mongo.MongoServerError) return PASSING.has(Number(error.code));
  // All of the driver's other errors mean that no server was reachable, except misuse of the driver.
  return error instanceof mongo.MongoError && !isMisuse(error);
}

/** Whether the driver was misused, such as with an unreadable URL. */
export function isMisuse(error: unknown): boolean {
  if (error instanceof mongo.MongoParseError) return true;
  return error instanceof mongo.MongoAPIError && !isClosed(error);
}

function isClosed(error: Error): boolean {
  return error instanceof mongo.MongoNotConnectedError || error instanceof mongo.MongoClientClosedError;
}
