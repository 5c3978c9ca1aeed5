import { type Connection, mongo } from 'mongoose';
import { NotConnectedError } from './mongo-away.ts';
import type { SchemaFit } from './schema-version.ts';

export interface EnsureIndexesOptions {
  /** How the database fits this code: in one of a newer version an index may be there with other options. */
  readonly fit?: Pick<SchemaFit, 'status'>;
}

/**
 * Makes every index that the models name, and gives TTL indexes the seconds they name. Safe to run again and at once
 * from several processes; indexes that are there already are left alone.
 */
export async function ensureIndexes(
  connection: Connection,
  { fit }: EnsureIndexesOptions = {},
): Promise<void> {
  const { db } = connection;
  if (db === undefined) throw new NotConnectedError();
  // Asked for up front, because listing the indexes of a collection that is not there is an error.
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const present = new Set(collections.map(({ name }) => name));
  for (const {
    collection: { name },
    schema,
  } of Object.values(connection.models)) {
    const wanted = schema.indexes().map(([key, options]) => ({ key, ...options }) as mongo.IndexDescription);
    if (present.has(name)) await changeRetention(db, name, wanted);
    if (fit?.status === 'newer') await createWhereNoOther(db.collection(name), wanted);
    else await db.collection(name).createIndexes(wanted);
  }
}

/** IndexOptionsConflict, IndexKeySpecsConflict. */
const CONFLICTS: readonly unknown[] = [85, 86];

/** Whoever went back to this version must not wait for ever for an index that the newer one has changed: slower it works too. */
async function createWhereNoOther(
  collection: mongo.Collection,
  wanted: readonly mongo.IndexDescription[],
): Promise<void> {
  for (const index of wanted) {
    try {
      await collection.createIndexes([index]);
    } catch (error) {
      if (!(error instanceof mongo.MongoServerError && CONFLICTS.includes(error.code))) throw error;
    }
  }
}

/** A TTL index cannot be made again with other seconds (IndexOptionsConflict); collMod changes it in place. */
async function changeRetention(
  db: mongo.Db,
  name: string,
  wanted: readonly mongo.IndexDescription[],
): Promise<void> {
  const existing = await db.collection(name).listIndexes().toArray();
  for (const { key, expireAfterSeconds } of wanted) {
    if (expireAfterSeconds === undefined) continue;
    const same = existing.find((index) => JSON.stringify(index.key) === JSON.stringify(key));
    if (same === undefined || same.expireAfterSeconds === expireAfterSeconds) continue;
    await db.command({ collMod: name, index: { keyPattern: key, expireAfterSeconds } });
  }
}
