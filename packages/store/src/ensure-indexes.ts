import type { Connection, mongo } from 'mongoose';
import { NotConnectedError } from './mongo-away.ts';
import type { SchemaFit } from './schema-version.ts';

export interface EnsureIndexesOptions {
  /** Schema version of the database. In a newer one, an index may exist with other options. */
  readonly fit?: Pick<SchemaFit, 'status'>;
}

/**
 * Creates every index of the models, and sets the configured seconds of TTL indexes. Idempotent, and safe to run from
 * several processes at once. Existing indexes stay unchanged.
 */
export async function ensureIndexes(
  connection: Connection,
  { fit }: EnsureIndexesOptions = {},
): Promise<void> {
  const { db } = connection;
  if (db === undefined) throw new NotConnectedError();
  // Listed first, because listing the indexes of a missing collection is an error.
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const present = new Set(collections.map(({ name }) => name));
  for (const {
    collection: { name },
    schema,
  } of Object.values(connection.models)) {
    const wanted = schema.indexes().map(([key, options]) => ({ key, ...options }) as mongo.IndexDescription);
    if (present.has(name)) await changeRetention(db, name, wanted);
    const existing = fit?.status === 'newer' && present.has(name) ? await indexNames(db, name) : [];
    const missing = wanted.filter((one) => !existing.includes(nameOf(one)));
    if (missing.length > 0) await db.collection(name).createIndexes(missing);
  }
}

/**
 * Names of the existing indexes. After a downgrade, an index that the newer version changed can't be created and must not
 * block the start: queries also work without it, only slower. Compared by name, because DocumentDB has no specific error
 * code for an index that exists with other options.
 */
async function indexNames(db: mongo.Db, name: string): Promise<string[]> {
  const existing = await db.collection(name).listIndexes().toArray();
  return existing.map((index) => index.name);
}

/** The name of an index, derived as MongoDB's driver does if it has none. */
function nameOf({ name, key }: mongo.IndexDescription): string {
  return name ?? Object.entries(key).flat().join('_');
}

/** A TTL index can't be created again with other seconds (IndexOptionsConflict); collMod changes it in place. */
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
