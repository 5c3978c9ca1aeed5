import { expect } from 'chai';
import type { Collection, Db, Document } from 'mongodb';
import { useServers } from '../support/server.ts';

/** The stages of a plan from the top down, and the index at its bottom. */
function stages(plan: Document): string {
  const below = plan.inputStage ? `${stages(plan.inputStage)}` : '';
  return [plan.stage + (plan.indexName ? `(${plan.indexName})` : ''), below].filter(Boolean).join(' < ');
}

describe('embedded-mongodb: explain', () => {
  const start = useServers();
  let db: Db;
  let collection: Collection<Document & { _id: number }>;

  before(async () => {
    db = (await start()).client.db('t');
    collection = db.collection('deliveries');
    await collection.createIndex({ source_id: 1, received_at: -1 }, { name: 'by_source' });
    await collection.createIndex(
      { email: 1 },
      { unique: true, partialFilterExpression: { email: { $type: 'string' } }, name: 'email' },
    );
    await collection.insertMany(
      Array.from({ length: 1000 }, (_, n) => ({
        _id: n,
        source_id: n % 4,
        received_at: new Date(n * 1000),
        n,
        ...(n % 2 ? { email: `e${n}` } : {}),
      })),
    );
  });

  it('an index with an array field selects by its other fields too, and gives the order', async () => {
    const leads = db.collection<Document & { _id: number }>('leads');
    await leads.createIndex({ account: 1, words: 1, at: -1 }, { name: 'words' });
    await leads.insertMany(
      Array.from({ length: 1000 }, (_, n) => ({ _id: n, account: 1, at: n, words: ['all', `w${n % 100}`] })),
    );
    const cursor = () => leads.find({ account: 1, words: 'w7' }).sort({ at: -1 }).limit(3);
    const { queryPlanner, executionStats } = await cursor().explain('executionStats');
    expect(stages(queryPlanner.winningPlan)).to.equal('LIMIT < FETCH < IXSCAN(words)');
    expect(executionStats.totalKeysExamined).to.be.below(5);
    expect((await cursor().toArray()).map(({ _id }) => _id)).to.deep.equal([907, 807, 707]);
  });

  const CASES: [name: string, filter: Document, sort: Document, expected: string][] = [
    ['equality on _id is looked up', { _id: 5 }, {}, 'IDHACK'],
    ['a list of _ids is looked up', { _id: { $in: [1, 2, 3] } }, {}, 'FETCH < IXSCAN(_id_)'],
    ['_id and another condition', { _id: 5, n: 7 }, {}, 'FETCH < IXSCAN(_id_)'],
    ['equality on an index', { source_id: 1 }, {}, 'FETCH < IXSCAN(by_source)'],
    [
      'equality, then a range, in the order of the index',
      { source_id: 1, received_at: { $lt: new Date(500_000) } },
      { received_at: -1 },
      'FETCH < IXSCAN(by_source)',
    ],
    ['the same backwards', { source_id: 1 }, { received_at: 1 }, 'FETCH < IXSCAN(by_source)'],
    ['an order without an index is sorted', { source_id: 1 }, { n: 1 }, 'SORT < FETCH < IXSCAN(by_source)'],
    ['a partial index, if the query implies it', { email: 'e1' }, {}, 'FETCH < IXSCAN(email)'],
    ['a partial index, if the query does not imply it', { email: null }, {}, 'COLLSCAN'],
    [
      'an $or with an index for the other condition',
      { source_id: 1, $or: [{ n: 1 }, { n: 5 }] },
      {},
      'FETCH < IXSCAN(by_source)',
    ],
    ['a field without an index', { n: 5 }, {}, 'COLLSCAN'],
  ];
  for (const [name, filter, sort, expected] of CASES) {
    it(`${name}: ${expected}`, async () => {
      const { queryPlanner } = await collection
        .find(filter)
        .sort(sort as never)
        .explain('queryPlanner');
      expect(stages(queryPlanner.winningPlan)).to.equal(expected);
    });
  }

  it('a page of a sorted range examines as many entries as it returns, not the whole source', async () => {
    const page = collection
      .find({ source_id: 1, received_at: { $lt: new Date(900_000) } })
      .sort({ received_at: -1 })
      .limit(20);
    const { executionStats } = await page.explain('executionStats');
    expect(executionStats).to.include({ nReturned: 20, totalKeysExamined: 20 });
    expect((await page.toArray())[0]?._id).to.equal(897);
  });

  it('counting by an index examines no document', async () => {
    const { executionStats } = await collection.find({ source_id: 1 }).explain('executionStats');
    expect(executionStats).to.include({ nReturned: 250, totalDocsExamined: 0 });
  });
});
