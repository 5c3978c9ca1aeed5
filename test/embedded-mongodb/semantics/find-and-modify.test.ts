import { expect } from 'chai';
import { expectRefusal, rejection, useDatabase } from '../support/database.ts';

describe('embedded-mongodb: findAndModify', () => {
  const database = useDatabase();

  it('returns the document before or after the change, as requested, or the removed one', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 1, n: 1, other: true });
    expect(await collection.findOneAndUpdate({ _id: 1 }, { $inc: { n: 1 } })).to.deep.equal({
      _id: 1,
      n: 1,
      other: true,
    });
    const after = await collection.findOneAndUpdate(
      { _id: 1 },
      { $inc: { n: 1 } },
      { returnDocument: 'after' },
    );
    expect(after).to.deep.equal({ _id: 1, n: 3, other: true });
    expect(await collection.findOneAndDelete({ n: 3 })).to.deep.equal(after);
    expect(await collection.countDocuments()).to.equal(0);
  });

  it('returns null and creates nothing if no document matches', async () => {
    const collection = database.collection();
    expect(await collection.findOneAndUpdate({ _id: 1 }, { $set: { n: 1 } })).to.equal(null);
    expect(await collection.findOneAndDelete({ _id: 1 })).to.equal(null);
    expect(await collection.countDocuments()).to.equal(0);
  });

  it('upserts and reports it', async () => {
    const collection = database.collection();
    const options = { upsert: true, returnDocument: 'after', includeResultMetadata: true } as const;
    const result = await collection.findOneAndUpdate(
      { _id: 'k' },
      { $inc: { n: 1 }, $setOnInsert: { first: true } },
      options,
    );
    expect(result.value).to.deep.equal({ _id: 'k', first: true, n: 1 });
    expect(result.lastErrorObject).to.deep.include({ n: 1, updatedExisting: false, upserted: 'k' });
    const again = await collection.findOneAndUpdate(
      { _id: 'k' },
      { $inc: { n: 1 }, $setOnInsert: { first: false } },
      options,
    );
    expect(again.value).to.deep.equal({ _id: 'k', first: true, n: 2 });
    expect(again.lastErrorObject).to.deep.include({ n: 1, updatedExisting: true });
  });

  it('rejects a change that violates a unique index', async () => {
    const collection = database.collection();
    await collection.createIndex({ v: 1 }, { unique: true });
    await collection.insertMany([
      { _id: 1, v: 1 },
      { _id: 2, v: 2 },
    ]);
    const error = await rejection(collection.findOneAndUpdate({ _id: 1 }, { $set: { v: 2 } }));
    expectRefusal(error, 11000);
    expect(await collection.findOne({ _id: 1 })).to.deep.equal({ _id: 1, v: 1 });
  });

  it('loses no increment of a counter under concurrency', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 'counter', n: 0 });
    const seen = await Promise.all(
      Array.from({ length: 100 }, () =>
        collection.findOneAndUpdate({ _id: 'counter' }, { $inc: { n: 1 } }, { returnDocument: 'after' }),
      ),
    );
    expect(new Set(seen.map((document) => document?.n)).size).to.equal(100);
  });
});
