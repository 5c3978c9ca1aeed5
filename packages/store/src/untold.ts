import type { UntoldChange } from '@sluice/contract/change';
import type { Connection, mongo } from 'mongoose';
import { connectedDb } from './connected-db.ts';
import { fromStoredChange, type StoredChange } from './stored-change.ts';

/** The collections whose records have untold changes. */
export const TOLD_COLLECTIONS = ['leads', 'conversations'] as const;
export type ToldCollection = (typeof TOLD_COLLECTIONS)[number];

/** A record with changes that are not told yet. */
export interface UntoldRecord {
  readonly collection: ToldCollection;
  readonly id: string;
  readonly account_id: string;
  /** Oldest first. Never empty. */
  readonly changes: readonly UntoldChange[];
}

export interface Untold {
  /** Records whose oldest untold change was made at `before` or earlier (ms since the Unix epoch), oldest first. */
  findUntold(query: { readonly before: number; readonly limit: number }): Promise<readonly UntoldRecord[]>;
  /**
   * Clears told changes. Changes that were made meanwhile stay. Neither revision nor `updated_at` change. Returns false if
   * some record was changed, erased or cleared meanwhile.
   */
  clearTold(records: readonly UntoldRecord[]): Promise<boolean>;
}

/** The part of a document that telling needs. */
interface UntoldDocument {
  readonly _id: string;
  readonly account_id?: string;
  readonly erased_from?: string;
  readonly sequence: number;
  readonly untold?: readonly StoredChange[];
  readonly untold_at?: Date;
}

export function createUntold(connection: Connection): Untold {
  const collectionOf = (name: ToldCollection) => connectedDb(connection).collection<UntoldDocument>(name);
  return {
    async findUntold({ before, limit }) {
      const found = await Promise.all(
        TOLD_COLLECTIONS.map(async (name) => {
          const cursor = collectionOf(name)
            .find({ untold_at: { $lte: new Date(before) } })
            .project<UntoldDocument>({ account_id: 1, erased_from: 1, sequence: 1, untold: 1 })
            .sort({ untold_at: 1 })
            .limit(limit);
          return (await cursor.toArray()).flatMap((document) => untoldRecord(name, document));
        }),
      );
      return found.flat();
    },
    async clearTold(records) {
      let unchanged = true;
      for (const name of TOLD_COLLECTIONS) {
        // In the order of _id, because a bulk write of an engine with row locks could deadlock with another one.
        const some = records
          .filter(({ collection }) => collection === name)
          .sort((a, b) => (a.id < b.id ? -1 : 1));
        if (some.length > 0 && !(await clearIn(collectionOf(name), some))) unchanged = false;
      }
      return unchanged;
    },
  };
}

function untoldRecord(collection: ToldCollection, document: UntoldDocument): UntoldRecord[] {
  const account_id = document.account_id ?? document.erased_from;
  if (account_id === undefined || document.untold === undefined) return [];
  return [{ collection, id: document._id, account_id, changes: document.untold.map(fromStoredChange) }];
}

/**
 * Nearly always no change was made meanwhile: then `sequence` is that of the last told change, and the list goes as a whole.
 * Only otherwise the told changes are picked out of the list.
 */
async function clearIn(
  collection: mongo.Collection<UntoldDocument>,
  records: readonly UntoldRecord[],
): Promise<boolean> {
  const last = ({ changes }: UntoldRecord) => changes.at(-1)?.sequence ?? 0;
  const { modifiedCount } = await collection.bulkWrite(
    records.map((record) => ({
      updateOne: {
        filter: { _id: record.id, sequence: last(record) },
        update: { $unset: { untold: 1, untold_at: 1 } } as mongo.UpdateFilter<UntoldDocument>,
      },
    })),
    { ordered: false },
  );
  if (modifiedCount === records.length) return true;
  await collection.bulkWrite(
    records.map((record) => ({
      updateOne: {
        // A field that is absent stays absent.
        filter: { _id: record.id, sequence: { $gt: last(record) }, untold_at: { $exists: true } },
        update: {
          $pull: { untold: { sequence: { $lte: last(record) } } },
        } as mongo.UpdateFilter<UntoldDocument>,
      },
    })),
    { ordered: false },
  );
  return false;
}
