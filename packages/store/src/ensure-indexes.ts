import type { Connection, mongo } from 'mongoose';
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
    const there = fit?.status === 'newer' && present.has(name) ? await indexNames(db, name) : [];
    const missing = wanted.filter((one) => !there.includes(nameOf(one)));
    if (missing.length > 0) await db.collection(name).createIndexes(missing);
  }
}

/**
 * Whoever went back to this version must not wait for ever for an index that the newer one has changed: slower it works
 * too. By their names, as DocumentDB has no code of its own for an index that is there already with other options.
 */
async function indexNames(db: mongo.Db, name: string): Promise<string[]> {
  const existing = await db.collection(name).listIndexes().toArray();
  return existing.map((index) => index.name);
}

/** As MongoDB's driver makes it up where an index has none. */
function nameOf({ name, key }: mongo.IndexDescription): string {
  return name ?? Object.entries(key).flat().join('_');
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
