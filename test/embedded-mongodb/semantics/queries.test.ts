import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { QUERY_CASES } from '../support/query-cases.ts';

describe('embedded-mongodb: queries', () => {
  const database = useDatabase();

  for (const [name, documents, filter, expected] of QUERY_CASES) {
    it(name, async () => {
      const collection = database.collection();
      await collection.insertMany(
        Object.entries(documents).map(([_id, fields]) => ({ _id, ...(fields as object) })),
      );
      const found = await collection.find(filter).toArray();
      expect(found.map(({ _id }) => _id).sort()).to.deep.equal(expected);
    });
  }

  it('projections include or exclude fields, also nested ones', async () => {
    const collection = database.collection();
    await collection.insertOne({ _id: 1, a: { b: 1, c: 2 }, list: [{ b: 1, c: 2 }], d: 3 });
    const project = (projection: object) => collection.findOne({}, { projection });
    expect(await project({ 'a.b': 1 })).to.deep.equal({ _id: 1, a: { b: 1 } });
    expect(await project({ 'list.c': 1, _id: 0 })).to.deep.equal({ list: [{ c: 2 }] });
    expect(await project({ a: 0, list: 0 })).to.deep.equal({ _id: 1, d: 3 });
    expect(await project({ 'a.b': 0, _id: 0 })).to.deep.equal({ a: { c: 2 }, list: [{ b: 1, c: 2 }], d: 3 });
    expect(await project({ _id: 1 })).to.deep.equal({ _id: 1 });
  });

  it('distinct returns each value once, and the elements of arrays', async () => {
    const collection = database.collection();
    await collection.insertMany([{ v: 1 }, { v: 1 }, { v: [2, 3] }, { v: 3 }, {}] as never[]);
    expect((await collection.distinct('v')).sort()).to.deep.equal([1, 2, 3]);
    expect((await collection.distinct('v', { v: { $gt: 1 } })).sort()).to.deep.equal([2, 3]);
  });
});
