import type { mongo } from 'mongoose';
import { fromStoredChange, type StoredChange } from './stored-change.ts';
import { lastSequence, type ToldCollection, type UntoldRecord } from './untold-record.ts';

/** The part of a lead's or conversation's document that telling needs. */
interface UntoldDocument {
  readonly _id: string;
  readonly account_id?: string;
  readonly erased_from?: string;
  readonly sequence?: number;
  readonly untold?: readonly StoredChange[];
  readonly untold_at?: Date;
}

/** Throws if the changes can't be read. Undefined: there are none. */
export function untoldRecord(collection: ToldCollection, document: UntoldDocument): UntoldRecord | undefined {
  const account_id = document.account_id ?? document.erased_from;
  if (account_id === undefined || document.untold === undefined || document.untold.length === 0)
    return undefined;
  return { collection, id: document._id, account_id, changes: document.untold.map(fromStoredChange) };
}

/** Leaves out the changes that are no longer in their documents at the primary. */
export async function stillInRecords(
  collection: mongo.Collection<UntoldDocument>,
  records: readonly UntoldRecord[],
): Promise<readonly UntoldRecord[]> {
  const found = await collection
    .find({ _id: { $in: records.map(({ id }) => id) } }, { readPreference: 'primary' })
    .project<UntoldDocument>({ 'untold.sequence': 1 })
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
 * Nearly always no change was made meanwhile: then `sequence` is that of the last told change, and the list goes as a whole.
 * Only otherwise the told changes are picked out of the list.
 */
export async function clearRecords(
  collection: mongo.Collection<UntoldDocument>,
  records: readonly UntoldRecord[],
): Promise<boolean> {
  const { modifiedCount } = await collection.bulkWrite(
    records.map((record) => ({
      updateOne: {
        filter: { _id: record.id, sequence: lastSequence(record) },
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
        filter: { _id: record.id, sequence: { $gt: lastSequence(record) }, untold: { $exists: true } },
        update: {
          $pull: { untold: { sequence: { $lte: lastSequence(record) } } },
        } as mongo.UpdateFilter<UntoldDocument>,
      },
    })),
    { ordered: false },
  );
  return false;
}
