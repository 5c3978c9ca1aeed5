import { startServer } from '@sluice/embedded-mongodb/server';
import { mongo } from 'mongoose';
import { uniqueNamespace } from './shared-redis.ts';

/** A MongoDB database of one test file's own. */
export interface TestMongo {
  /** With the database in its path, so that no namespace can miss it. */
  readonly url: string;
  readonly database: string;
  /** Which engine it is: some have no query planner to ask. */
  readonly engine: 'embedded' | 'given';
  /** The database past the store, for looking at what the store has done. */
  readonly db: mongo.Db;
  /** Drops the database and closes everything. */
  close(): Promise<void>;
}

/**
 * A database of a unique name on the server that MONGO_URL names, else on an embedded store started for it:
 * the same tests run against either.
 */
export async function openTestMongo(label = 'test'): Promise<TestMongo> {
  const given = process.env.MONGO_URL || undefined;
  const server = given === undefined ? await startServer({ port: 0 }) : undefined;
  const database = uniqueNamespace(label);
  const url = withDatabase(given ?? server?.url ?? '', database);
  const client = await new mongo.MongoClient(url).connect();
  const db = client.db(database);
  return {
    url,
    database,
    engine: given === undefined ? 'embedded' : 'given',
    db,
    close: async () => {
      await db.dropDatabase();
      await client.close();
      await server?.close();
    },
  };
}

/** Puts a database into a MongoDB URL, in place of the one it may name. */
function withDatabase(url: string, database: string): string {
  const [, base = url, query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(url) ?? [];
  return `${base}/${database}${query}`;
}
