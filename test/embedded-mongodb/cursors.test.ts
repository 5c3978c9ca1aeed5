import { startServer } from '@sluice/embedded-mongodb/server';
import { expect } from 'chai';
import { type Long, MongoClient } from 'mongodb';
import { expectRefusal, rejection, useDatabase } from './support/database.ts';

describe('embedded-mongodb: cursors', () => {
  const database = useDatabase();

  async function filled(count: number) {
    const collection = database.collection();
    await collection.insertMany(Array.from({ length: count }, (_, n) => ({ _id: n, text: 'x'.repeat(100) })));
    return collection;
  }

  it('batches of any size return every document once, in order, up to a limit', async () => {
    const collection = await filled(120);
    for (const batchSize of [1, 7, 101, 119, 120, 500]) {
      const found = await collection.find().sort({ _id: 1 }).batchSize(batchSize).toArray();
      expect(found.map(({ _id }) => _id)).to.deep.equal(Array.from({ length: 120 }, (_, n) => n));
    }
    expect(await collection.find().batchSize(50).limit(110).toArray()).to.have.length(110);
  });

  it('a cursor that is closed early is killed', async () => {
    const collection = await filled(300);
    const cursor = collection.find().batchSize(2);
    await cursor.next();
    const id = cursor.id;
    await cursor.close();
    const answer = await database.db.command({ killCursors: collection.collectionName, cursors: [id] });
    expect(answer.cursorsAlive ?? []).to.have.length(0);
  });

  it('documents deleted while a cursor is open do not break it', async () => {
    const collection = await filled(300);
    const cursor = collection.find().batchSize(10);
    await cursor.next();
    await collection.deleteMany({});
    await collection.insertOne({ _id: 'new' });
    let count = 1;
    for await (const _document of cursor) count++;
    expect(count).to.be.within(10, 301);
  });

  it('results larger than one reply are split into several', async () => {
    const collection = database.collection();
    const text = 'x'.repeat(3 * 1024 * 1024);
    for (let n = 0; n < 6; n++) await collection.insertOne({ _id: n, text });
    const found = await collection.find().toArray();
    expect(found).to.have.length(6);
    expect(found.every((document) => document.text.length === text.length)).to.equal(true);
  });

  it('a cursor from before a restart is not found, and never returns the rows of another', async () => {
    async function openCursor() {
      const server = await startServer();
      const client = await new MongoClient(server.url).connect();
      const db = client.db('same');
      await db.collection<{ _id: number }>('rows').insertMany([{ _id: 1 }, { _id: 2 }]);
      const { cursor } = await db.command({ find: 'rows', batchSize: 1 }, { promoteLongs: false });
      return { id: cursor.id as Long, db, end: () => client.close().then(server.close) };
    }
    const before = await openCursor();
    const after = await openCursor();
    try {
      const error = await rejection(after.db.command({ getMore: before.id, collection: 'rows' }));
      expectRefusal(error, 43);
      const own = await after.db.command({ getMore: after.id, collection: 'rows' });
      expect(own.cursor.nextBatch).to.deep.equal([{ _id: 2 }]);
    } finally {
      await before.end();
      await after.end();
    }
  });
});
