import type { RunningServer } from '@sluice/embedded-mongodb/server';
import { isMongoAway } from '@sluice/store/connection/mongo-away';
import { expect } from 'chai';
import type { Collection, MongoClient } from 'mongodb';
import mongoose from 'mongoose';
import { until } from '../../support/until.ts';
import { rejection } from '../support/database.ts';
import { useServers } from '../support/server.ts';

interface Row {
  _id: number;
  text: string;
  at?: Date;
}

const LIMIT = 1024 * 1024;

describe('embedded-mongodb: the memory limit', () => {
  const start = useServers();
  const messages: string[] = [];
  let server: RunningServer;
  let client: MongoClient;
  let rows: Collection<Row>;

  beforeEach(async () => {
    messages.length = 0;
    ({ server, client } = await start({
      maxMemoryBytes: LIMIT,
      expirySweepMilliseconds: 20,
      log: (message) => messages.push(message),
    }));
    rows = client.db('t').collection<Row>('rows');
    await rows.createIndex({ text: 1 });
  });

  /** Inserts rows until one is rejected. Returns the number of stored rows. */
  async function fill(extra: Partial<Row> = {}): Promise<number> {
    for (let _id = 0; ; _id++) {
      try {
        await rows.insertOne({ _id, text: 'x'.repeat(4000), ...extra });
      } catch (error) {
        expect(error).to.include({ code: 14031 });
        return _id;
      }
    }
  }

  it('rejects an insert above the limit with 14031 and a remedy, and keeps all documents', async () => {
    const found = await fill();
    expect(found).to.be.within(80, 250);
    const error = await rejection(rows.insertOne({ _id: -1, text: 'more' }));
    expect(error.message).to.match(/1 MiB of the 1 MiB.*MONGO_URL/);
    expect(await rows.countDocuments()).to.equal(found);
    expect(messages.filter((message) => message.startsWith('Full'))).to.have.length(1);
  });

  it('rejects an upsert and a growing update too, and accepts an update of equal size', async () => {
    await fill();
    const longer = { $set: { text: 'x'.repeat(4001) } };
    expect(await rejection(rows.updateOne({ _id: -1 }, longer, { upsert: true }))).to.include({
      code: 14031,
    });
    expect(await rejection(rows.updateOne({ _id: 0 }, longer))).to.include({ code: 14031 });
    expect((await rows.updateOne({ _id: 0 }, { $set: { text: 'y'.repeat(4000) } })).modifiedCount).to.equal(
      1,
    );
  });

  it('in a bulk write rejects each write above the limit, and applies the others', async () => {
    await fill();
    const error = await rejection(
      rows.bulkWrite(
        [{ insertOne: { document: { _id: -1, text: 'new' } } }, { deleteOne: { filter: { _id: 0 } } }],
        { ordered: false },
      ),
    );
    expect(error.writeErrors[0].code).to.equal(14031);
    expect(await rows.countDocuments({ _id: { $lte: 0 } })).to.equal(0);
  });

  const ways: Record<string, () => Promise<unknown>> = {
    'documents are deleted': () => rows.deleteMany({}),
    'the collection is dropped': () => rows.drop(),
    'an index is dropped': () => rows.dropIndex('text_1'),
    'documents are made shorter': () => rows.updateMany({}, { $set: { text: '' } }),
  };
  for (const [name, free] of Object.entries(ways)) {
    it(`there is room again once ${name}`, async () => {
      await fill();
      await free();
      await rows.insertOne({ _id: -1, text: 'new' });
      expect(messages.join()).to.include('room for documents again');
    });
  }

  it('there is room again once documents expire', async () => {
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: 3600 });
    await fill({ at: new Date() });
    await client
      .db('t')
      .command({ collMod: 'rows', index: { keyPattern: { at: 1 }, expireAfterSeconds: 0 } });
    await until(async () => (await rows.countDocuments()) === 0, { what: 'all have expired' });
    await rows.insertOne({ _id: -1, text: 'new' });
  });

  it('stores as many documents after they were deleted: freed memory is no longer counted', async () => {
    const found = await fill();
    for (let round = 0; round < 2; round++) {
      await rows.updateMany({ _id: { $lt: 50 } }, { $set: { text: 'short' } });
      await rows.deleteMany({});
      expect(await fill()).to.equal(found);
    }
  });

  it('the services treat the error as temporary', async () => {
    await fill();
    const connection = await mongoose.createConnection(server.url).asPromise();
    try {
      const insert = connection.db?.collection<Row>('t').insertOne({ _id: -1, text: 'new' });
      expect(isMongoAway(await rejection(insert as Promise<unknown>))).to.equal(true);
    } finally {
      await connection.close();
    }
  });
});
