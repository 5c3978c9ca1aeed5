import { expect } from 'chai';
import type { Collection, MongoClient } from 'mongodb';
import { rejection } from './support/database.ts';
import { useServers } from './support/server.ts';

interface Row {
  _id: number;
  title: string;
}

const ROWS = 1000;
const LIMIT = { maxTimeMS: 500 };

describe('embedded-mongodb: maxTimeMS', () => {
  /** Milliseconds that pass between two readings of the clock. */
  let pace = 0;
  let clock = Date.now();
  const start = useServers();
  let client: MongoClient;
  let rows: Collection<Row>;

  before(async () => {
    const now = () => {
      clock += pace;
      return clock;
    };
    ({ client } = await start({ now }));
    rows = client.db('t').collection<Row>('rows');
    await rows.insertMany(Array.from({ length: ROWS }, (_, _id) => ({ _id, title: `row ${_id}` })));
  });
  beforeEach(() => {
    pace = 0;
  });

  const reads: Record<string, (options: { maxTimeMS?: number }) => Promise<unknown>> = {
    find: (options) => rows.find({ title: /999/ }, options).toArray(),
    'find in an order no index has': (options) => rows.find({}, options).sort({ title: 1 }).toArray(),
    count: (options) => rows.countDocuments({ title: /999/ }, options),
    distinct: (options) => rows.distinct('title', { title: /999/ }, options),
    aggregate: (options) =>
      rows.aggregate([{ $group: { _id: '$title', n: { $sum: 2 } } }], options).toArray(),
  };
  for (const [name, read] of Object.entries(reads)) {
    it(`a ${name} that takes longer is rejected with 50, and a faster one is answered`, async () => {
      pace = 1000;
      expect(await rejection(read(LIMIT))).to.include({ code: 50, codeName: 'MaxTimeMSExpired' });
      await read({});
      await read({ maxTimeMS: 0 });
      pace = 10;
      await read(LIMIT);
    });
  }

  it('a write that takes longer to find its documents changes no document', async () => {
    const before = await rows.find().toArray();
    pace = 1000;
    const writes = [
      () => rows.updateMany({ title: /^row/ }, { $set: { title: 'changed' } }, LIMIT),
      () => rows.deleteMany({ title: /^row/ }, LIMIT),
      () => rows.findOneAndUpdate({ title: 'row 999' }, { $set: { title: 'changed' } }, LIMIT),
      () => rows.findOneAndDelete({ title: 'row 999' }, LIMIT),
    ];
    for (const write of writes) expect(await rejection(write())).to.include({ code: 50 });
    expect(await rows.find().toArray()).to.deep.equal(before);
  });

  it('a maxTimeMS that is not a number of milliseconds is rejected by name', async () => {
    for (const maxTimeMS of [-1, 'soon']) {
      const error = await rejection(client.db('t').command({ find: 'rows', maxTimeMS }));
      expect(error.message).to.include('maxTimeMS');
    }
  });
});
