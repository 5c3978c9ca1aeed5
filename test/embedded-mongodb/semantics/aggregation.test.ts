import { expect } from 'chai';
import { useDatabase } from '../support/database.ts';

describe('embedded-mongodb: aggregation', () => {
  const database = useDatabase();

  async function filled() {
    const collection = database.collection();
    await collection.insertMany(
      [1, 2, 3, 4, 5, 6].map((n) => ({
        _id: n,
        ...(n % 2 === 0 && { paused: { reason: 'failing' } }),
        count: n === 6 ? 'no number' : n,
        at: new Date(Date.UTC(2026, 0, n)),
      })),
    );
    return collection;
  }

  it('counts what matches by a field, also where it is missing', async () => {
    const collection = await filled();
    const pipeline = [
      { $match: { _id: { $gt: 1 } } },
      { $group: { _id: '$paused.reason', count: { $sum: 1 } } },
    ];
    expect(await collection.aggregate(pipeline).toArray()).to.have.deep.members([
      { _id: 'failing', count: 3 },
      { _id: null, count: 2 },
    ]);
  });

  it('adds up the numbers of all, and finds the latest time', async () => {
    const collection = await filled();
    const $group = { _id: null, total: { $sum: '$count' }, last: { $max: '$at' } };
    expect(await collection.aggregate([{ $group }]).toArray()).to.deep.equal([
      { _id: null, total: 15, last: new Date(Date.UTC(2026, 0, 6)) },
    ]);
    expect(await collection.aggregate([{ $match: { _id: 9 } }, { $group }]).toArray()).to.deep.equal([]);
  });
});
