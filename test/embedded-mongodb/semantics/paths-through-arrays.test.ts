import { expect } from 'chai';
import { expectRefusal, rejection, useDatabase } from '../support/database.ts';

/**
 * If a path continues below an array, an element that is not a document has no value there: the same as a missing
 * field.
 */
describe('embedded-mongodb: a path that continues below an array', () => {
  const database = useDatabase();
  const WITHOUT_X = [{}, { b: ['text'] }, { b: [] }, { b: [[1]] }, { b: null }];

  async function filled() {
    const collection = database.collection();
    await collection.insertOne({ _id: 9, b: [{ x: -5 }] });
    await collection.insertMany(WITHOUT_X.map((row, _id) => ({ _id, ...row })));
    return collection;
  }

  for (const indexed of [false, true]) {
    it(`sorts elements that are not documents like missing fields${indexed ? ', with an index too' : ''}`, async () => {
      const collection = await filled();
      if (indexed) await collection.createIndex({ 'b.x': 1 });
      const ids = async (direction: 1 | -1) =>
        (await collection.find().sort({ 'b.x': direction, _id: 1 }).toArray()).map(({ _id }) => _id);
      expect(await ids(1)).to.deep.equal([0, 1, 2, 3, 4, 9]);
      expect(await ids(-1)).to.deep.equal([9, 0, 1, 2, 3, 4]);
      expect(await collection.countDocuments({ 'b.x': -5 })).to.equal(1);
    });
  }

  it('sorts by the element that it names', async () => {
    const collection = database.collection();
    await collection.insertMany([
      { _id: 1, c: [{ y: 0 }, { a: 5 }] },
      { _id: 2, c: [{ y: 0 }, { a: 4 }] },
    ]);
    const found = await collection.find().sort({ 'c.1.a': 1 }).toArray();
    expect(found.map(({ _id }) => _id)).to.deep.equal([2, 1]);
  });

  it('can be missing only once in a unique index, in any way', async () => {
    const collection = database.collection();
    await collection.createIndex({ 'b.x': 1 }, { unique: true });
    await collection.insertOne({ _id: 1 });
    expectRefusal(await rejection(collection.insertOne({ _id: 2, b: ['text'] })), 11000);
  });
});
