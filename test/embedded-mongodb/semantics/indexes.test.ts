import { expect } from 'chai';
import { expectRefusal, rejection, useDatabase } from '../support/database.ts';

describe('embedded-mongodb: indexes', () => {
  const database = useDatabase();

  it('a duplicate _id is E11000 with the key', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 'x' });
    const error = await rejection(collection.insertOne({ _id: 'x' }));
    expectRefusal(error, 11000);
    expect(error.message).to.match(/E11000 duplicate key error/);
  });

  it('a unique index rejects a duplicate, by insert and by update, and accepts the value once it is free', async () => {
    const collection = database.collection();
    await collection.createIndex({ email: 1 }, { unique: true });
    await collection.insertMany([
      { _id: 1, email: 'a' },
      { _id: 2, email: 'b' },
    ]);
    expectRefusal(await rejection(collection.insertOne({ _id: 3, email: 'a' })), 11000);
    expectRefusal(await rejection(collection.updateOne({ _id: 2 }, { $set: { email: 'a' } })), 11000);
    await collection.deleteOne({ _id: 1 });
    await collection.updateOne({ _id: 2 }, { $set: { email: 'a' } });
    await collection.insertOne({ _id: 3, email: 'b' });
    expect(await collection.countDocuments()).to.equal(2);
  });

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

  it('a partial unique index applies only to documents that match its filter', async () => {
    const collection = database.collection();
    await collection.createIndex({ name: 1 }, { unique: true, partialFilterExpression: { active: true } });
    await collection.insertMany([
      { _id: 1, name: 'a', active: true },
      { _id: 2, name: 'a', active: false },
    ]);
    expectRefusal(await rejection(collection.insertOne({ _id: 3, name: 'a', active: true })), 11000);
    expectRefusal(await rejection(collection.updateOne({ _id: 2 }, { $set: { active: true } })), 11000);
    await collection.updateOne({ _id: 1 }, { $set: { active: false } });
    await collection.updateOne({ _id: 2 }, { $set: { active: true } });
    expect((await collection.find({ name: 'a' }).toArray()).length).to.equal(2);
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

  it('a unique index cannot be built over duplicates, and no part of it stays', async () => {
    const collection = database.collection();
    await collection.insertMany([
      { _id: 1, v: 1 },
      { _id: 2, v: 1 },
    ]);
    expectRefusal(await rejection(collection.createIndex({ v: 1 }, { unique: true })), 11000);
    expect((await collection.indexes()).map(({ name }) => name)).to.deep.equal(['_id_']);
  });

  it('lists what was created, and creating it again changes nothing', async () => {
    const collection = database.collection();
    await collection.createIndex({ a: 1, b: -1 }, { unique: true, name: 'pair' });
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await collection.createIndex({ a: 1, b: -1 }, { unique: true, name: 'pair' });
    const indexes = await collection.indexes();
    expect(indexes.map(({ name }) => name)).to.deep.equal(['_id_', 'pair', 'at_1']);
    expect(indexes[1]).to.deep.include({ key: { a: 1, b: -1 }, unique: true });
    expect(indexes[2]).to.deep.include({ key: { at: 1 }, expireAfterSeconds: 60 });
  });

  it('one name for two keys is a conflict until the first is dropped, and so are two names for one', async () => {
    const collection = database.collection();
    await collection.createIndex({ a: 1 }, { name: 'one' });
    expectRefusal(await rejection(collection.createIndex({ b: 1 }, { name: 'one' })), 86);
    expectRefusal(await rejection(collection.createIndex({ a: 1 }, { name: 'other' })), 85);
    await collection.dropIndex('one');
    await collection.createIndex({ b: 1 }, { name: 'one' });
  });

  it('collMod changes the expiry of a TTL index', async () => {
    const collection = database.collection();
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await database.db.command({
      collMod: collection.collectionName,
      index: { keyPattern: { at: 1 }, expireAfterSeconds: 10 },
    });
    expect((await collection.indexes())[1]).to.deep.include({ expireAfterSeconds: 10 });
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
