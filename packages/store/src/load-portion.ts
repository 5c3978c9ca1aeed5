import type { mongo } from 'mongoose';
import { documentFromBytes } from './event-bytes.ts';
import { fromDocument } from './event-conversion.ts';
import type { EventDocument, StoredEvent } from './event-document.ts';

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
const LOADED = { raw: true, readConcern: { level: 'majority' } } as const;

/**
 * A thousand ordinary events take one MiB. One can take as much as a request (256 KiB; several times that with what an import
 * remembers), so that the few bytes of a thousand cancellations could ask for more than a process has.
 */
const PORTION_BYTES = 8 * 1024 * 1024;

/** Reads the events of these ids until they fill a portion. The last batch of the server's (16 MiB) is taken whole. */
export async function loadPortion(
  collection: mongo.Collection<EventDocument>,
  ids: readonly string[],
): Promise<EventPortion> {
  const events = new Map<string, StoredEvent>();
  if (ids.length === 0) return { events, unread: [] };
  // In one batch: unasked a server gives 101 at first, and with one more than there are it knows that no others follow.
  const cursor = collection.find({ _id: { $in: [...ids] } }, { ...LOADED, batchSize: ids.length + 1 });
  let bytes = 0;
  try {
    while (bytes < PORTION_BYTES && (await cursor.hasNext())) {
      // The driver types what is raw as documents too.
      for (const raw of cursor.readBufferedDocuments() as unknown as Buffer[]) {
        const document = documentFromBytes(raw);
        events.set(document._id, fromDocument(document));
        bytes += raw.length;
      }
    }
  } finally {
    await cursor.close();
  }
  // Where it was filled, nothing says which of the others are stored.
  return { events, unread: bytes < PORTION_BYTES ? [] : ids.filter((id) => !events.has(id)) };
}
