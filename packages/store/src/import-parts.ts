import type { mongo } from 'mongoose';
import { ADMIN_WRITE } from './admin-write.ts';

/** The fields that the parts of all imports share. */
export interface PartFields {
  readonly _id: string;
  readonly schema_version: 1;
  readonly at: Date;
  readonly undone_at: Date | null;
}

const { writeConcern } = ADMIN_WRITE;

/** Records a part. A repeated part replaces the first. `at`: milliseconds since the Unix epoch. */
export async function putPart<Document extends PartFields>(
  collection: mongo.Collection<Document>,
  _id: string,
  { at, ...part }: { readonly at: number },
): Promise<void> {
  const set = { ...part, schema_version: 1, at: new Date(at) };
  const update = { $set: set, $setOnInsert: { undone_at: null } } as unknown as mongo.UpdateFilter<Document>;
  await collection.updateOne({ _id } as mongo.Filter<Document>, update, { upsert: true, writeConcern });
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
