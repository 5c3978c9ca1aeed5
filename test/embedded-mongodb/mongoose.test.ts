import { expect } from 'chai';
import { type Connection, createConnection, Schema } from 'mongoose';
import { rejection, useDatabase } from './support/database.ts';

interface Entry {
  _id: string;
  revision: number;
  sequence: number;
  at: Date;
  tags: string[];
  detail?: { title: string; price?: string };
}

const entrySchema = new Schema<Entry>(
  {
    _id: { type: String, required: true },
    revision: { type: Number, required: true },
    sequence: Number,
    at: Date,
    tags: [String],
    detail: new Schema({ title: String, price: String }, { _id: false }),
  },
  { versionKey: false, timestamps: true },
);
entrySchema.index({ at: 1 }, { expireAfterSeconds: 3600 });
entrySchema.index(
  { 'detail.title': 1 },
  { unique: true, partialFilterExpression: { 'detail.title': { $exists: true } } },
);

describe('embedded-mongodb: unmodified mongoose', () => {
  const database = useDatabase();
  let connection: Connection;
  before(async () => {
    connection = await createConnection(database.url, {
      dbName: database.db.databaseName,
      writeConcern: { w: 'majority', j: true },
    }).asPromise();
  });
  after(() => connection?.close());

  let models = 0;
  async function freshModel() {
    const model = connection.model(`Entry${++models}`, entrySchema, `entries${models}`);
    await model.init();
    await model.createIndexes();
    return model;
  }

  it('creates its indexes, and syncing them again changes nothing', async () => {
    const Entries = await freshModel();
    const names = Object.keys(await Entries.collection.indexInformation());
    expect(names).to.deep.equal(['_id_', 'at_1', 'detail.title_1']);
    expect(await Entries.diffIndexes()).to.deep.equal({ toDrop: [], toCreate: [] });
  });

  it('inserts, finds, changes and removes documents', async () => {
    const Entries = await freshModel();
    await Entries.insertMany(
      [1, 2, 3].map((n) => ({
        _id: `e${n}`,
        revision: n,
        sequence: 1.8e15 + n,
        at: new Date(),
        tags: ['a'],
        detail: { title: `t${n}` },
      })),
    );
    const found = await Entries.find({ _id: { $in: ['e1', 'e3', 'none'] } })
      .sort({ revision: -1 })
      .select('revision detail.title')
      .lean();
    expect(found).to.deep.equal([
      { _id: 'e3', revision: 3, detail: { title: 't3' } },
      { _id: 'e1', revision: 1, detail: { title: 't1' } },
    ]);
    const document = await Entries.findById('e2').orFail();
    expect(document.sequence).to.equal(1.8e15 + 2);
    document.tags.push('b');
    await document.save();
    expect((await Entries.findById('e2').lean())?.tags).to.deep.equal(['a', 'b']);
    await document.deleteOne();
    expect(await Entries.countDocuments({ sequence: { $gte: 1.8e15 + 1 } })).to.equal(2);
  });

  it('numbers above 2^31 and dates are returned unchanged', async () => {
    const Entries = await freshModel();
    const at = new Date('2026-02-28T23:59:59.999Z');
    await Entries.create({ _id: 'x', revision: 2 ** 40, sequence: Number.MAX_SAFE_INTEGER, at });
    const found = await Entries.findOne({ sequence: Number.MAX_SAFE_INTEGER, at }).lean();
    expect(found).to.deep.include({ revision: 2 ** 40, sequence: Number.MAX_SAFE_INTEGER, at });
  });

  it('a guarded bulk write in one round trip reports the positions that lost', async () => {
    const Entries = await freshModel();
    await Entries.insertMany(
      Array.from({ length: 300 }, (_, n) => ({ _id: `e${n}`, revision: n % 3 === 0 ? 9 : 1 })),
    );
    const operations = Array.from({ length: 300 }, (_, n) => ({
      replaceOne: {
        filter: { _id: `e${n}`, revision: 1 },
        replacement: { _id: `e${n}`, revision: 2 },
        upsert: true,
      },
    }));
    const error = await rejection(Entries.bulkWrite(operations as never, { ordered: false }));
    expect(error.writeErrors).to.have.length(100);
    expect(
      error.writeErrors.every(
        ({ index, code }: { index: number; code: number }) => index % 3 === 0 && code === 11000,
      ),
    ).to.equal(true);
    expect(await Entries.countDocuments({ revision: 2 })).to.equal(200);
  });

  it('streams with a cursor, aggregates and updates many', async () => {
    const Entries = await freshModel();
    await Entries.insertMany(
      Array.from({ length: 500 }, (_, n) => ({ _id: `e${n}`, revision: n % 5, tags: [`t${n % 2}`] })),
    );
    let seen = 0;
    for await (const _entry of Entries.find().lean().cursor({ batchSize: 50 })) seen++;
    expect(seen).to.equal(500);
    const groups = await Entries.aggregate([
      { $group: { _id: '$revision', n: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ]);
    expect(groups).to.deep.equal([0, 1, 2, 3, 4].map((_id) => ({ _id, n: 100 })));
    const result = await Entries.updateMany(
      { revision: { $lt: 2 } },
      { $inc: { revision: 10 }, $addToSet: { tags: 'low' } },
    );
    expect(result).to.include({ matchedCount: 200, modifiedCount: 200 });
    expect((await Entries.distinct('tags')).sort()).to.deep.equal(['low', 't0', 't1']);
  });
});
