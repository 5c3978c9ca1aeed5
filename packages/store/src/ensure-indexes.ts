import type { Connection, mongo } from 'mongoose';
import { NotConnectedError } from './mongo-away.ts';

/**
 * Makes every index that the models name, and gives TTL indexes the seconds they name. Safe to run again and at once
 * from several processes; indexes that are there already are left alone.
 */
export async function ensureIndexes(connection: Connection): Promise<void> {
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
    await db.collection(name).createIndexes(wanted);
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
