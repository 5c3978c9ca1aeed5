import { expect } from 'chai';
import { expectRefusal, rejection, useDatabase } from '../support/database.ts';

describe('embedded-mongodb: upserts', () => {
  const database = useDatabase();

  it('the new document consists of the equalities of the filter and then the update', async () => {
    const collection = database.collection();
    const filter = { _id: 'x', a: 1, 'b.c': { $eq: 2 }, d: { $gt: 5 }, $and: [{ e: 3 }] };
    const result = await collection.updateOne(
      filter,
      { $set: { f: 4 }, $inc: { a: 1 }, $setOnInsert: { g: 5 } },
      { upsert: true },
    );
    expect(result).to.deep.include({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1, upsertedId: 'x' });
    expect(await collection.findOne({})).to.deep.equal({ _id: 'x', a: 2, b: { c: 2 }, e: 3, f: 4, g: 5 });
  });

  it('an upsert that finds a document updates it and skips $setOnInsert', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 'x', a: 1 });
    const result = await collection.updateOne(
      { _id: 'x' },
      { $inc: { a: 1 }, $setOnInsert: { b: 1 } },
      { upsert: true },
    );
    expect(result).to.deep.include({ matchedCount: 1, modifiedCount: 1, upsertedCount: 0 });
    expect(await collection.findOne({})).to.deep.equal({ _id: 'x', a: 2 });
  });

  it('an upserted replacement uses only the _id of the filter', async () => {
    const collection = database.collection();
    await collection.replaceOne({ _id: 'x', a: 1 }, { b: 2 }, { upsert: true });
    expect(await collection.findOne({})).to.deep.equal({ _id: 'x', b: 2 });
  });

  it('without an _id the new document gets an ObjectId as its first field', async () => {
    const collection = database.collection();
    const { upsertedId } = await collection.updateOne({ a: 1 }, { $set: { b: 2 } }, { upsert: true });
    expect(upsertedId).to.have.property('_bsontype', 'ObjectId');
    const document = await collection.findOne({});
    expect(Object.keys(document ?? {})).to.deep.equal(['_id', 'a', 'b']);
  });

  it('an upsert with another _id than the filter is rejected', async () => {
    const error = await rejection(
      database.collection().updateOne({ _id: 1 }, { $set: { _id: 2 } }, { upsert: true }),
    );
    expectRefusal(error, 66);
  });

  it('a guarded replacement that lost its race collides on _id at its position, and the others are applied', async () => {
    const collection = database.collection();
    await collection.insertMany([
      { _id: 'a', revision: 1 },
      { _id: 'b', revision: 7 },
      { _id: 'c', revision: 1 },
    ]);
    const replace = (_id: string, revision: number) => ({
      replaceOne: {
        filter: { _id, revision },
        replacement: { _id, revision: revision + 1, by: 'me' },
        upsert: true,
      },
    });
    const error = await rejection(
      collection.bulkWrite([replace('a', 1), replace('b', 1), replace('c', 1), replace('d', 0)], {
        ordered: false,
      }),
    );
    expect(
      error.writeErrors.map(({ index, code }: { index: number; code: number }) => ({ index, code })),
    ).to.deep.equal([{ index: 1, code: 11000 }]);
    expect(error.result).to.include({ matchedCount: 2, modifiedCount: 2, upsertedCount: 1 });
    expect(error.result.upsertedIds).to.deep.equal({ 3: 'd' });
    const revisions = await collection
      .find({}, { projection: { revision: 1 } })
      .sort({ _id: 1 })
      .toArray();
    expect(revisions.map(({ revision }) => revision)).to.deep.equal([2, 7, 2, 1]);
  });

  it('unordered inserts continue after a duplicate, ordered ones stop', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 2 });
    const documents = [{ _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 3 }, { _id: 4 }];
    const unordered = await rejection(collection.insertMany(documents, { ordered: false }));
    expect(unordered.writeErrors.map(({ index }: { index: number }) => index)).to.deep.equal([1, 3]);
    expect(unordered.insertedCount).to.equal(3);
    const ordered = await rejection(collection.insertMany([{ _id: 5 }, { _id: 5 }, { _id: 6 }]));
    expect(ordered.writeErrors.map(({ index }: { index: number }) => index)).to.deep.equal([1]);
    expect(await collection.countDocuments()).to.equal(5);
  });

  it('a bulk write of every kind reports each count', async () => {
    const collection = database.collection();
    await collection.insertMany([
      { _id: 1, v: 1 },
      { _id: 2, v: 1 },
      { _id: 3, v: 2 },
    ]);
    const result = await collection.bulkWrite([
      { insertOne: { document: { _id: 4, v: 1 } } },
      { updateMany: { filter: { v: 1 }, update: { $inc: { v: 10 } } } },
      { updateOne: { filter: { _id: 9 }, update: { $set: { v: 9 } }, upsert: true } },
      { deleteOne: { filter: { v: 11 } } },
      { deleteMany: { filter: { v: { $gte: 9 } } } },
    ]);
    expect(result).to.include({
      insertedCount: 1,
      matchedCount: 3,
      modifiedCount: 3,
      deletedCount: 4,
      upsertedCount: 1,
    });
    expect(await collection.distinct('_id')).to.deep.equal([3]);
  });
});
