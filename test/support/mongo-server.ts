import { startServer } from '@sluice/embedded-mongodb/server';
import { mongo } from 'mongoose';
import { uniqueNamespace } from './shared-redis.ts';
import { use } from './use.ts';

/** A MongoDB database for one test file. */
export interface TestMongo {
  /** The URL with the database in its path, so that every namespace uses it. */
  readonly url: string;
  readonly database: string;
  /** The engine: some have no query planner. */
  readonly engine: 'embedded' | 'given';
  /** Direct access to the database, to check the store's writes. */
  readonly db: mongo.Db;
  /** Drops the database and closes everything. */
  close(): Promise<void>;
}

/**
 * A database with a unique name on the server at MONGO_URL, or on an embedded store started for it. The same tests run
 * against either.
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

/** The same for the tests of a describe block. */
export function useTestMongo(label?: string): TestMongo {
  return use(() => openTestMongo(label));
}

/** Replaces the database in a MongoDB URL. */
function withDatabase(url: string, database: string): string {
  const [, base = url, query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(url) ?? [];
  return `${base}/${database}${query}`;
}
