import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { useDatabase } from '../support/database.ts';
import { useProcesses } from '../support/process.ts';

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

describe('embedded-mongodb: a journal of documents with numeric field names', () => {
  const processes = useProcesses();

  it('restores them after a kill', async () => {
    const folder = await processes.folder();
    const first = await processes.start(folder);
    const writer = await new MongoClient(first.url).connect();
    const written = writer.db('t').collection<{ _id: string; b?: number; c?: number }>('rows');
    await written.insertOne({ _id: 'a', b: 1, ...{ 7: 'seven' } });
    await written.updateOne({ _id: 'a' }, { $set: { b: 2 } });
    await written.bulkWrite([{ replaceOne: { filter: { _id: 'a' }, replacement: { c: 3 } } }]);
    await first.end('SIGKILL');
    await writer.close();
    const second = await processes.start(folder);
    const reader = await new MongoClient(second.url).connect();
    const rows = await reader.db('t').collection('rows').find().toArray();
    await reader.close();
    expect(rows).to.deep.equal([{ _id: 'a', c: 3 }]);
  });
});
