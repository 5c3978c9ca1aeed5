import { mongo } from 'mongoose';
import { documentFromBytes } from './event-bytes.ts';
import { fromDocument } from './event-conversion.ts';
import type { StoredEvent } from './event-document.ts';
import { isMongoAway } from './mongo-away.ts';

/** Part of many events: as many as fit into memory together. */
export interface EventPortion {
  /** The stored events. A requested id that is neither here nor in `unread` isn't stored. */
  readonly events: ReadonlyMap<string, StoredEvent>;
  /** Ids that weren't read. Request them again after processing this portion. Never contains all ids. */
  readonly unread: readonly string[];
}

/**
 * Reads only data that can't be rolled back, because the stored state decides whether the worker writes. An action that
 * isn't yet applied by a majority would be logged as applied, and could then be lost with the primary.
 */
const READ_CONCERN = { level: 'majority' } as const;

/**
 * Reads the events of these ids that the server puts into one batch (at most 16 MiB). A thousand ordinary events take one
 * MiB. One event can be as large as a request (256 KiB), and several times that with an import mark. So a thousand small
 * cancellations could otherwise load more than the process's memory.
 */
export async function loadPortion(
  db: mongo.Db,
  collection: string,
  ids: readonly string[],
): Promise<EventPortion> {
  if (ids.length === 0) return { events: new Map(), unread: [] };
  const { firstBatch, id } = await find(db, collection, ids);
  const events = new Map<string, StoredEvent>();
  for (const bytes of firstBatch) {
    const document = documentFromBytes(bytes);
    events.set(document._id, fromDocument(document));
  }
  if (id.isZero()) return { events, unread: [] };
  // It is unknown which of the other ids are stored. A cursor that can't be closed expires after ten minutes.
  await db.command({ killCursors: collection, cursors: [id] }).catch(() => {});
  return { events, unread: ids.filter((one) => !events.has(one)) };
}

interface Found {
  readonly firstBatch: readonly Buffer[];
  /** Id of the cursor with the remaining documents; 0 if none remain. */
  readonly id: mongo.BSON.Long;
}

/** Returns documents as bytes, and the cursor id as a 64-bit integer, because it must be sent back in that type. */
const RAW_RESULT: mongo.RunCommandOptions = { fieldsAsRaw: { firstBatch: true }, promoteLongs: false };

/** Sends a command, because the driver's cursor decodes each document before it returns the bytes. */
async function find(db: mongo.Db, collection: string, ids: readonly string[]): Promise<Found> {
  const command = {
    find: collection,
    filter: { _id: { $in: ids } },
    // One batch: the default is 101 documents. One more than the ids lets the server close the cursor.
    batchSize: ids.length + 1,
    readConcern: READ_CONCERN,
  };
  const run = async () => (await db.command(command, RAW_RESULT)).cursor as Found;
  try {
    return await run();
  } catch (error) {
    // The driver retries reads (such as after the primary stepped down), but not commands.
    if (!isMongoAway(error) || error instanceof mongo.MongoServerSelectionError) throw error;
    return await run();
  }
}
