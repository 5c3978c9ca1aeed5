import { mongo } from 'mongoose';
import { documentFromBytes } from './event-bytes.ts';
import { fromDocument } from './event-conversion.ts';
import type { StoredEvent } from './event-document.ts';
import { isMongoAway } from './mongo-away.ts';

/** Of many events, as many as may be held in memory together. */
export interface EventPortion {
  /** Those that are stored. Of the ids that were asked for, one that is neither here nor unread is not stored. */
  readonly events: ReadonlyMap<string, StoredEvent>;
  /** Ids that were not looked at: to be asked for again once this portion is done with. Never all of them. */
  readonly unread: readonly string[];
}

/**
 * What is stored decides whether anything is written. So it must be what cannot be rolled back any more: an action that a
 * worker finds applied, but not yet by a majority, would be logged as applied and lost with the primary.
 */
const READ_CONCERN = { level: 'majority' } as const;

/**
 * Reads the events of these ids as far as the server puts them into one batch, which is 16 MiB at most: a thousand ordinary
 * events take one MiB, but one event can take as much as a request (256 KiB; several times that with what an import
 * remembers), so that the few bytes of a thousand cancellations could ask for more than a process has.
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
  // Nothing says which of the others are stored. A cursor that cannot be closed goes by itself (after ten minutes).
  await db.command({ killCursors: collection, cursors: [id] }).catch(() => {});
  return { events, unread: ids.filter((one) => !events.has(one)) };
}

interface Found {
  readonly firstBatch: readonly Buffer[];
  /** Of the cursor that has what did not fit; 0: there is none. */
  readonly id: mongo.BSON.Long;
}

/** Documents as bytes. The cursor's id as the 64-bit integer as which it has to be sent again. */
const AS_IT_CAME: mongo.RunCommandOptions = { fieldsAsRaw: { firstBatch: true }, promoteLongs: false };

/** A command, because the driver's own cursor takes each document apart before it hands over its bytes. */
async function find(db: mongo.Db, collection: string, ids: readonly string[]): Promise<Found> {
  const command = {
    find: collection,
    filter: { _id: { $in: ids } },
    // In one batch: unasked a server gives 101 at first, and with one more than there are it knows that no others follow.
    batchSize: ids.length + 1,
    readConcern: READ_CONCERN,
  };
  const ask = async () => (await db.command(command, AS_IT_CAME)).cursor as Found;
  try {
    return await ask();
  } catch (error) {
    // A command is not asked again by the driver, as a read is (retryable reads), such as after its primary stepped down.
    if (!isMongoAway(error) || error instanceof mongo.MongoServerSelectionError) throw error;
    return await ask();
  }
}
