import { randomBytes } from 'node:crypto';
import { startServer } from '@sluice/embedded-mongodb/server';
import { expect } from 'chai';
import { type Collection, type Db, type Document, MongoClient } from 'mongodb';

/** A document with any fields. */
interface Row extends Document {
  _id: string | number;
}

export interface TestDatabase {
  readonly db: Db;
  readonly client: MongoClient;
  readonly url: string;
  /** A fresh collection under a name that nothing else uses. */
  collection(): Collection<Row>;
}

/**
 * A separate database for the tests of a file. It is on the server at MONGO_URL if that is set, so a real engine runs
 * the same tests. Otherwise it is on an embedded server in memory.
 */
export function useDatabase(): TestDatabase {
  let client: MongoClient | undefined;
  let close = async (): Promise<void> => {};
  let url = process.env.MONGO_URL ?? '';
  const name = `test_${randomBytes(6).toString('hex')}`;
  let collections = 0;

  before(async () => {
    if (url === '') {
      const server = await startServer();
      url = server.url;
      close = server.close;
    }
    client = await new MongoClient(url).connect();
  });

  after(async () => {
    await client?.db(name).dropDatabase();
    await client?.close();
    await close();
  });

  function connected(): MongoClient {
    if (!client) throw new Error('the database exists only while the tests run');
    return client;
  }

  return {
    get db() {
      return connected().db(name);
    },
    get client() {
      return connected();
    },
    get url() {
      return url;
    },
    collection: () => connected().db(name).collection(`c${++collections}`),
  };
}

/**
 * Expects an error with MongoDB's code. An engine at MONGO_URL that returns its own codes only has to reject. The
 * DocumentDB of the tests does that for most codes.
 */
export function expectRefusal(error: Document, code: number): void {
  if (process.env.MONGO_URL === undefined) expect(error.code, String(error.message)).to.equal(code);
  else expect(error.name).to.match(/^Mongo.*Error$/);
}

/** The error that a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Document> {
  try {
    await promise;
  } catch (error) {
    return error as Document;
  }
  throw new Error('the promise was to be rejected');
}
