import { isDeepStrictEqual } from 'node:util';
import type { Connection, mongo } from 'mongoose';
import { NotConnectedError } from '../connection/mongo-away.ts';
import type { SchemaFit } from './schema-version.ts';

/** An index as the server reports it. */
type ExistingIndex = mongo.IndexDescriptionInfo;

export interface EnsureIndexesOptions {
  /** Schema version of the database. In a newer one, an index may exist with other options. */
  readonly fit?: Pick<SchemaFit, 'status'>;
}

/** Lists of indexes requested at once. More would open connections that a starting process does not need yet. */
const LISTS_AT_ONCE = 2;

/**
 * Creates every missing index of the models, and sets the configured seconds of TTL indexes. Idempotent, and safe to run
 * from several processes at once. Existing indexes stay unchanged.
 */
export async function ensureIndexes(
  connection: Connection,
  { fit }: EnsureIndexesOptions = {},
): Promise<void> {
  const { db, collections } = await indexesOf(connection);
  const isThere = fit?.status === 'newer' ? hasName : isSame;
  // One collection after the other, because not every engine creates indexes in parallel.
  for (const { name, wanted, present } of collections) {
    await changeRetention(db, name, wanted, present);
    const missing = wanted.filter((one) => !present.some((index) => isThere(index, one)));
    if (missing.length > 0) await db.collection(name).createIndexes(missing);
  }
}

/** Each index that the models want and the database has under no such name, as `collection.index`. */
export async function missingIndexes(connection: Connection): Promise<readonly string[]> {
  const { collections } = await indexesOf(connection);
  return collections.flatMap(({ name, wanted, present }) =>
    wanted
      .filter((one) => !present.some((index) => hasName(index, one)))
      .map((one) => `${name}.${nameOf(one)}`),
  );
}

/** The wanted and the existing indexes of each model. */
async function indexesOf(connection: Connection) {
  const { db } = connection;
  if (db === undefined) throw new NotConnectedError();
  const models = Object.values(connection.models).map(({ collection: { name }, schema }) => ({
    name,
    wanted: schema.indexes().map(([key, options]) => ({ key, ...options }) as mongo.IndexDescription),
  }));
  const existing = await listIndexes(
    db,
    models.map(({ name }) => name),
  );
  return { db, collections: models.map((model) => ({ ...model, present: existing.get(model.name) ?? [] })) };
}

/** The existing indexes of each collection that exists. */
async function listIndexes(db: mongo.Db, names: readonly string[]): Promise<Map<string, ExistingIndex[]>> {
  // Listed first, because listing the indexes of a missing collection is an error.
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const present = new Set(collections.map(({ name }) => name));
  const waiting = names.filter((name) => present.has(name));
  const lists = new Map<string, ExistingIndex[]>();
  const lane = async (): Promise<void> => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop())
      lists.set(name, await db.collection(name).listIndexes().toArray());
  };
  await Promise.all(Array.from({ length: LISTS_AT_ONCE }, lane));
  return lists;
}

/**
 * After a downgrade, an index that the newer version changed can't be created and must not block the start: queries also
 * work without it, only slower. Compared by name, because DocumentDB has no specific error code for an index that exists
 * with other options.
 */
function hasName(existing: ExistingIndex, wanted: mongo.IndexDescription): boolean {
  return existing.name === nameOf(wanted);
}

/**
 * True if the server reports the index exactly as wanted. `changeRetention` has set the seconds of a TTL index. In case of
 * doubt false: the server then compares the two, and rejects a conflict.
 */
function isSame(existing: ExistingIndex, wanted: mongo.IndexDescription): boolean {
  return (
    hasName(existing, wanted) &&
    JSON.stringify(existing.key) === JSON.stringify(wanted.key) &&
    isDeepStrictEqual(comparable(existing), comparable(wanted))
  );
}

/** The options of an index that decide whether two are the same. `v` and DocumentDB's `storageEngine` are its form on disk. */
function comparable(index: mongo.Document): object {
  const { key, name, v, ns, storageEngine, background, expireAfterSeconds, ...options } = index;
  return { ...options, expires: expireAfterSeconds !== undefined };
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
  existing: readonly ExistingIndex[],
): Promise<void> {
  for (const { key, expireAfterSeconds } of wanted) {
    if (expireAfterSeconds === undefined) continue;
    const same = existing.find((index) => JSON.stringify(index.key) === JSON.stringify(key));
    if (same === undefined || same.expireAfterSeconds === expireAfterSeconds) continue;
    await db.command({ collMod: name, index: { keyPattern: key, expireAfterSeconds } });
  }
}
