import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';

/** JavaScript orders such fields before all others, whatever the insertion order. */
describe('embedded-mongodb: a document with numeric field names', () => {
  const database = useDatabase();

  it('keeps its _id, and keeps it first, when it is updated and then replaced', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 'a', 7: 'seven', b: 1 });
    await collection.updateOne({ _id: 'a' }, { $set: { b: 2 } });
    const [bytes] = await collection.find({}, { raw: true }).toArray();
    expect((bytes as unknown as Buffer).toString('latin1', 5, 8)).to.equal('_id');
    await collection.bulkWrite([{ replaceOne: { filter: { _id: 'a' }, replacement: { c: 3 } } }]);
    expect(await collection.find().toArray()).to.deep.equal([{ _id: 'a', c: 3 }]);
  });

  it('keeps its own or its generated _id when it is inserted', async () => {
    const collection = database.collection();
    await collection.insertOne({ b: 1, 7: 'seven', _id: 'a' }, { forceServerObjectId: true });
    await collection.updateOne({ _id: 'b' }, { $set: { 7: 'seven' } }, { upsert: true });
    await collection.bulkWrite(
      ['a', 'b'].map((_id) => ({ replaceOne: { filter: { _id }, replacement: { c: 3 } } })),
    );
    expect(await collection.find().toArray()).to.deep.equal([
      { _id: 'a', c: 3 },
      { _id: 'b', c: 3 },
    ]);
  });
});
