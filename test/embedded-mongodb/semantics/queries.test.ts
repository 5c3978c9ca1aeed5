import { Long } from 'bson';
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';
import { day, id, QUERY_CASES } from '../support/query-cases.ts';

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

  it('values of different kinds sort in BSON order', async () => {
    const collection = database.collection();
    const values = [null, 1, Long.fromString('9007199254740993'), 'a', { x: 1 }, id, false, true, day(1)];
    await collection.insertMany(values.map((v, i) => ({ _id: i, v })).reverse());
    const sorted = await collection.find().sort({ v: 1 }).toArray();
    expect(sorted.map(({ _id }) => _id)).to.deep.equal(values.map((_, i) => i));
    const reversed = await collection.find().sort({ v: -1 }).toArray();
    expect(reversed.map(({ _id }) => _id)).to.deep.equal(values.map((_, i) => i).reverse());
  });

  it('sort by two fields, skip and limit', async () => {
    const collection = database.collection();
    await collection.insertMany([3, 1, 2, 0].map((n) => ({ _id: n, even: n % 2 === 0 })));
    const found = await collection.find().sort({ even: 1, _id: -1 }).skip(1).limit(2).toArray();
    expect(found.map(({ _id }) => _id)).to.deep.equal([1, 2]);
  });

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

  it('counts, with and without a filter', async () => {
    const collection = database.collection();
    await collection.insertMany([1, 2, 3, 4].map((v) => ({ _id: v, v })));
    expect(await collection.countDocuments()).to.equal(4);
    expect(await collection.countDocuments({ v: { $gt: 1 } })).to.equal(3);
    expect(await collection.countDocuments({ v: { $gt: 1 } }, { skip: 1, limit: 1 })).to.equal(1);
    expect(await collection.countDocuments({ v: 99 })).to.equal(0);
  });
});
