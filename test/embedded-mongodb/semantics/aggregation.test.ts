import { ObjectId } from 'bson';
import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';

describe('embedded-mongodb: aggregation', () => {
  const database = useDatabase();
  const source = new ObjectId();

  async function filled() {
    const collection = database.collection();
    await collection.insertMany(
      [1, 2, 3, 4, 5, 6].map((n) => ({
        _id: n,
        source: n % 2 === 0 ? source : 'other',
        n,
        at: new Date(Date.UTC(2026, 0, n)),
        tags: n === 1 ? ['a', 'b'] : [],
      })),
    );
    return collection;
  }

  it('groups by a value, an ObjectId too, and adds up', async () => {
    const collection = await filled();
    const rows = await collection
      .aggregate([
        { $match: { n: { $gt: 1 } } },
        { $group: { _id: '$source', total: { $sum: '$n' }, count: { $sum: 1 }, last: { $max: '$at' } } },
        { $sort: { total: 1 } },
      ])
      .toArray();
    expect(rows).to.deep.equal([
      { _id: 'other', total: 8, count: 2, last: new Date(Date.UTC(2026, 0, 5)) },
      { _id: source, total: 12, count: 3, last: new Date(Date.UTC(2026, 0, 6)) },
    ]);
  });

  it('groups by day', async () => {
    const collection = await filled();
    const rows = await collection
      .aggregate([
        { $group: { _id: { $dateToString: { format: '%Y-%m-%d', date: '$at' } }, count: { $sum: 1 } } },
        { $sort: { _id: -1 } },
        { $limit: 1 },
      ])
      .toArray();
    expect(rows).to.deep.equal([{ _id: '2026-01-06', count: 1 }]);
  });

  it('projects, adds and removes fields', async () => {
    const collection = await filled();
    const rows = await collection
      .aggregate([
        { $match: { _id: 2 } },
        { $addFields: { double: { $multiply: ['$n', 2] } } },
        { $project: { double: 1, n: 1 } },
        { $unset: 'n' },
      ])
      .toArray();
    expect(rows).to.deep.equal([{ _id: 2, double: 4 }]);
  });

  it('unwinds arrays and counts by value', async () => {
    const collection = await filled();
    const rows = await collection.aggregate([{ $unwind: '$tags' }, { $sortByCount: '$tags' }]).toArray();
    expect(rows.map(({ _id }) => _id).sort()).to.deep.equal(['a', 'b']);
  });

  it('counts, also nothing', async () => {
    const collection = await filled();
    expect(
      await collection.aggregate([{ $match: { n: { $lte: 4 } } }, { $count: 'n' }]).toArray(),
    ).to.deep.equal([{ n: 4 }]);
    expect(await collection.countDocuments({ n: 99 })).to.equal(0);
  });

  it('sorts, skips and limits in the order of the stages', async () => {
    const collection = await filled();
    const ids = async (...stages: object[]) =>
      (await collection.aggregate([...stages, { $project: { _id: 1 } }]).toArray()).map(({ _id }) => _id);
    expect(await ids({ $sort: { n: -1 } }, { $skip: 1 }, { $limit: 2 })).to.deep.equal([5, 4]);
    expect(await ids({ $sort: { n: -1 } }, { $limit: 2 }, { $skip: 1 })).to.deep.equal([5]);
    expect(await ids({ $limit: 3 }, { $match: { n: { $gt: 2 } } })).to.deep.equal([3]);
  });
});
