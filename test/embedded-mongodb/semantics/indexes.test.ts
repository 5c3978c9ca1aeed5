import { expect } from 'chai';
import { expectRefusal, rejection, useDatabase } from '../support/database.ts';

describe('embedded-mongodb: indexes', () => {
  const database = useDatabase();

  it('ranges of unique indexes are in order at any time, before and after other changes', async () => {
    const collection = database.collection();
    await collection.createIndex({ email: 1 }, { unique: true });
    const put = (...ids: number[]) =>
      collection.insertMany(ids.map((id) => ({ _id: id, email: `${9 - id}@example.com` })));
    const from3 = async (direction: 1 | -1) =>
      (await collection.find({ _id: { $gte: 3 } }, { sort: { _id: direction } }).toArray()).map(
        ({ _id }) => _id,
      );
    const emailsFrom4 = async () =>
      (await collection.find({ email: { $gte: '4' } }, { sort: { email: 1 } }).toArray()).map(
        ({ _id }) => _id,
      );
    await put(7, 1, 5, 3);
    await collection.deleteOne({ _id: 5 });
    expect(await from3(1)).to.deep.equal([3, 7]);
    await put(4, 8, 2, 5);
    await collection.deleteOne({ _id: 7 });
    expect(await from3(-1)).to.deep.equal([8, 5, 4, 3]);
    expect(await emailsFrom4()).to.deep.equal([5, 4, 3, 2, 1]);
    await collection.updateOne({ _id: 1 }, { $set: { email: '3@example.com' } });
    await collection.updateOne({ _id: 8 }, { $set: { email: '9@example.com' } });
    expect(await emailsFrom4()).to.deep.equal([5, 4, 3, 2, 8]);
  });

  it('in a unique index a missing field is null, and only one document may lack it', async () => {
    const collection = database.collection();
    await collection.createIndex({ v: 1 }, { unique: true });
    await collection.insertOne({ _id: 1 });
    expectRefusal(await rejection(collection.insertOne({ _id: 2, v: null })), 11000);
  });

  it('a compound unique index compares the pair', async () => {
    const collection = database.collection();
    await collection.createIndex({ a: 1, b: -1 }, { unique: true });
    await collection.insertMany([
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 1, b: 2 },
    ]);
    expectRefusal(await rejection(collection.insertOne({ _id: 3, a: 1, b: 2 })), 11000);
  });

  it('an array is in an index under each of its elements', async () => {
    const collection = database.collection();
    await collection.createIndex({ tags: 1 }, { unique: true });
    await collection.insertMany([
      { _id: 1, tags: ['a', 'b'] },
      { _id: 2, tags: ['c'] },
    ]);
    expectRefusal(await rejection(collection.insertOne({ _id: 3, tags: ['d', 'b'] })), 11000);
    expect((await collection.find({ tags: { $in: ['a', 'b', 'c'] } }).toArray()).length).to.equal(2);
  });
});
