import { mongo } from 'mongoose';
import { isMongoAway } from '../connection/mongo-away.ts';

/** The first batch of a find, as bytes. */
export interface RawBatch {
  readonly firstBatch: readonly Buffer[];
  /** Id of the cursor with the remaining documents; 0 if none remain. */
  readonly id: mongo.BSON.Long;
}

/** Returns documents as bytes, and the cursor id as a 64-bit integer, because it must be sent back in that type. */
const RAW_RESULT: mongo.RunCommandOptions = { fieldsAsRaw: { firstBatch: true }, promoteLongs: false };

/** Sends a `find` as a command, because the driver's cursor decodes each document before it returns the bytes. */
export async function findRaw(db: mongo.Db, command: mongo.Document): Promise<RawBatch> {
  const run = async () => (await db.command(command, RAW_RESULT)).cursor as RawBatch;
  try {
    return await run();
  } catch (error) {
    // The driver retries reads (such as after the primary stepped down), but not commands.
    if (!isMongoAway(error) || error instanceof mongo.MongoServerSelectionError) throw error;
    return await run();
  }
}

/** Closes a cursor that is not read further. One that can't be closed expires after ten minutes. */
export async function closeRaw(db: mongo.Db, collection: string, { id }: RawBatch): Promise<void> {
  if (!id.isZero()) await db.command({ killCursors: collection, cursors: [id] }).catch(() => {});
}
