import type { mongo } from 'mongoose';
import { lastSequence, type PendingRecord, type PublishedCollection } from './pending-record.ts';
import { fromStoredChange, type StoredChange } from './stored-change.ts';

/** The part of a lead's or conversation's document that publishing needs. */
interface PendingDocument {
  readonly _id: string;
  readonly account_id?: string;
  readonly erased_from?: string;
  readonly sequence?: number;
  readonly untold?: readonly StoredChange[];
  readonly untold_at?: Date;
}

/** Throws if the changes can't be read. Undefined: there are none. */
export function pendingRecord(
  collection: PublishedCollection,
  document: PendingDocument,
): PendingRecord | undefined {
  const account_id = document.account_id ?? document.erased_from;
  if (account_id === undefined || document.untold === undefined || document.untold.length === 0)
    return undefined;
  return { collection, id: document._id, account_id, changes: document.untold.map(fromStoredChange) };
}

/** Leaves out the changes that are no longer in their documents. */
export async function stillInRecords(
  collection: mongo.Collection<PendingDocument>,
  records: readonly PendingRecord[],
): Promise<readonly PendingRecord[]> {
  const found = await collection
    .find({ _id: { $in: records.map(({ id }) => id) } })
    .project<PendingDocument>({ 'untold.sequence': 1 })
    .toArray();
  const left = new Map(
    found.map(({ _id, untold = [] }) => [_id, new Set(untold.map(({ sequence }) => sequence))]),
  );
  return records.flatMap((record) => {
    const changes = record.changes.filter(({ sequence }) => left.get(record.id)?.has(sequence));
    return changes.length === 0 ? [] : [{ ...record, changes }];
  });
}

/**
 * Nearly always no change was made meanwhile: then `sequence` is that of the last published change, and the list goes as a whole.
 * Only otherwise the published changes are picked out of the list.
 */
export async function clearRecords(
  collection: mongo.Collection<PendingDocument>,
  records: readonly PendingRecord[],
): Promise<boolean> {
  const { modifiedCount } = await collection.bulkWrite(
    records.map((record) => ({
      updateOne: {
        filter: { _id: record.id, sequence: lastSequence(record) },
        update: { $unset: { untold: 1, untold_at: 1 } } as mongo.UpdateFilter<PendingDocument>,
      },
    })),
    { ordered: false },
  );
  if (modifiedCount === records.length) return true;
  await collection.bulkWrite(
    records.map((record) => ({
      updateOne: {
        // A field that is absent stays absent.
        filter: { _id: record.id, sequence: { $gt: lastSequence(record) }, untold: { $exists: true } },
        update: {
          $pull: { untold: { sequence: { $lte: lastSequence(record) } } },
        } as mongo.UpdateFilter<PendingDocument>,
      },
    })),
    { ordered: false },
  );
  return false;
}
