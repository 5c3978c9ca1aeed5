import type { mongo } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';

/** The fields that the parts of all imports share. */
export interface PartFields {
  readonly _id: string;
  readonly schema_version: 1;
  readonly at: Date;
  readonly undone_at: Date | null;
}

const { writeConcern } = ADMIN_WRITE;

/**
 * Records a part. A repeated part replaces the fields of the first, and adds to the sets of `added`. Returns whether it is a
 * repeat. `at`: milliseconds since the Unix epoch.
 */
export async function putPart<Document extends PartFields>(
  collection: mongo.Collection<Document>,
  _id: string,
  { at, ...part }: { readonly at: number },
  added: Readonly<Record<string, readonly string[]>> = {},
): Promise<boolean> {
  const sets = Object.entries(added).map(([name, values]) => [name, { $each: [...values] }]);
  const update = {
    $set: { ...part, schema_version: 1, at: new Date(at) },
    $setOnInsert: { undone_at: null },
    ...(sets.length > 0 && { $addToSet: Object.fromEntries(sets) }),
  } as unknown as mongo.UpdateFilter<Document>;
  const filter = { _id } as mongo.Filter<Document>;
  const { matchedCount } = await collection.updateOne(filter, update, { upsert: true, writeConcern });
  return matchedCount > 0;
}

/** Marks all parts of an import. `at`: milliseconds since the Unix epoch. */
export async function markPartsUndone<Document extends PartFields>(
  collection: mongo.Collection<Document>,
  parts: mongo.Filter<Document>,
  at: number,
): Promise<void> {
  const update = { $set: { undone_at: new Date(at) } } as unknown as mongo.UpdateFilter<Document>;
  await collection.updateMany(parts, update, { writeConcern });
}
