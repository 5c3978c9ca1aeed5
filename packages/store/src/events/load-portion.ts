import type { mongo } from 'mongoose';
import { closeRaw, findRaw } from '../reading/raw-find.ts';
import { documentFromBytes } from './event-bytes.ts';
import { fromDocument } from './event-conversion.ts';
import type { StoredEvent } from './event-document.ts';

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
  const batch = await findRaw(db, {
    find: collection,
    filter: { _id: { $in: ids } },
    // One batch: the default is 101 documents. One more than the ids lets the server close the cursor.
    batchSize: ids.length + 1,
    readConcern: READ_CONCERN,
  });
  const events = new Map<string, StoredEvent>();
  for (const bytes of batch.firstBatch) {
    const document = documentFromBytes(bytes);
    events.set(document._id, fromDocument(document));
  }
  if (batch.id.isZero()) return { events, unread: [] };
  // It is unknown which of the other ids are stored.
  await closeRaw(db, collection, batch);
  return { events, unread: ids.filter((one) => !events.has(one)) };
}
