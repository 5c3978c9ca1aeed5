import type { Connection } from 'mongoose';
import { connectedDb } from '../connection/connected-db.ts';
import { firstBatch } from '../reading/first-batch.ts';
import { clearEvents, pendingEvent, stillPendingEvents } from './pending-events.ts';
import { type PendingRecord, PUBLISHED_COLLECTIONS, type PublishedCollection } from './pending-record.ts';
import { clearRecords, pendingRecord, stillInRecords } from './pending-records.ts';

/** Selects records by the time of their oldest pending change. Milliseconds since the Unix epoch. */
export interface PendingQuery {
  readonly collection: PublishedCollection;
  /** Inclusive. */
  readonly before: number;
  /** Continues behind a page that was read. */
  readonly after?: PendingPlace | undefined;
  /** A page of large records has fewer. */
  readonly limit: number;
}

/** The end of a page: a time, and the ids of the records of that time that were read. */
export interface PendingPlace {
  readonly at: number;
  readonly ids: readonly string[];
}

export interface PendingPage {
  readonly records: readonly PendingRecord[];
  /** The ids of records whose changes can't be read. */
  readonly unreadable: readonly string[];
  /** Null: no further records follow. */
  readonly next: PendingPlace | null;
}

export interface Pending {
  /** Oldest first. */
  pagePending(query: PendingQuery): Promise<PendingPage>;
  /**
   * Clears published changes. Changes that were made meanwhile stay. Neither revision nor `updated_at` change. Returns false if
   * some record was changed, erased or cleared meanwhile.
   */
  clearPublished(records: readonly PendingRecord[]): Promise<boolean>;
  /** Leaves out the changes that were published and cleared since the records were read. */
  withoutPublished(records: readonly PendingRecord[]): Promise<readonly PendingRecord[]>;
}

/** All collections have these fields. */
interface PendingDocument {
  readonly _id: string;
  readonly untold_at: Date;
}

const READ_FIELDS = [
  ...['account_id', 'erased_from', 'sequence', 'untold', 'untold_at', 'untold_sequence', 'expires_once_told'],
];
const PROJECTION = Object.fromEntries(READ_FIELDS.map((name) => [name, 1]));

export function createPending(connection: Connection): Pending {
  const db = () => connectedDb(connection);
  return {
    async pagePending({ collection, before, after, limit }) {
      const bounds = { $lte: new Date(before), ...(after !== undefined && { $gte: new Date(after.at) }) };
      const cursor = db()
        .collection<PendingDocument>(collection)
        .find({ untold_at: bounds, ...(after !== undefined && { _id: { $nin: [...after.ids] } }) })
        .project<PendingDocument>(PROJECTION)
        .sort({ untold_at: 1 });
      const { documents, more } = await firstBatch(cursor, limit);
      return { ...readAll(collection, documents), next: more ? placeOf(documents, after) : null };
    },
    async clearPublished(records) {
      let unchanged = true;
      for (const name of PUBLISHED_COLLECTIONS) {
        // In the order of _id, because a bulk write of an engine with row locks could deadlock with another one.
        const some = records
          .filter(({ collection }) => collection === name)
          .sort((a, b) => (a.id < b.id ? -1 : 1));
        if (some.length === 0) continue;
        const cleared =
          name === 'events'
            ? await clearEvents(db().collection(name), some)
            : await clearRecords(db().collection(name), some);
        if (!cleared) unchanged = false;
      }
      return unchanged;
    },
    async withoutPublished(records) {
      const left = await Promise.all(
        PUBLISHED_COLLECTIONS.map(async (name) => {
          const some = records.filter(({ collection }) => collection === name);
          if (some.length === 0) return some;
          if (name !== 'events') return stillInRecords(db().collection(name), some);
          // All changes of an event are cleared together.
          const still = await stillPendingEvents(db().collection(name), some);
          return some.filter(({ id }) => still.has(id));
        }),
      );
      return left.flat();
    },
  };
}

function readAll(
  collection: PublishedCollection,
  documents: readonly PendingDocument[],
): Pick<PendingPage, 'records' | 'unreadable'> {
  const records: PendingRecord[] = [];
  const unreadable: string[] = [];
  for (const document of documents) {
    try {
      const read = collection === 'events' ? pendingEvent(document) : pendingRecord(collection, document);
      if (read !== undefined) records.push(read);
    } catch {
      unreadable.push(document._id);
    }
  }
  return { records, unreadable };
}

function placeOf(
  documents: readonly PendingDocument[],
  after: PendingPlace | undefined,
): PendingPlace | null {
  const last = documents.at(-1);
  if (last === undefined) return null;
  const at = last.untold_at.getTime();
  const ids = documents.filter(({ untold_at }) => untold_at.getTime() === at).map(({ _id }) => _id);
  return { at, ids: after?.at === at ? [...after.ids, ...ids] : ids };
}
