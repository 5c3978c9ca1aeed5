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
