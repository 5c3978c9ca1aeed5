import type { Fields } from '@sluice/embedded-mongodb/bson/types';
import { runQuery } from '@sluice/embedded-mongodb/plan/run-query';
import { parseQuery } from '@sluice/embedded-mongodb/query/query';
import { parseSort } from '@sluice/embedded-mongodb/query/sort';
import { createCollection } from '@sluice/embedded-mongodb/storage/collection';
import { parseIndexDefinition } from '@sluice/embedded-mongodb/storage/index-definition';
import { createMemoryAccount } from '@sluice/embedded-mongodb/storage/memory-account';
import { serialize } from 'bson';
import { expect } from 'chai';
import fc from 'fast-check';
import { sized } from '../../support/size.ts';

const RUNS = sized({ short: 200, middle: 3000 });
const SILENT = { put: () => {}, remove: () => {} };

/** Few distinct values, so that they meet often. They include each kind that indexes treat specially. */
const scalar = fc.constantFrom<unknown>(
  null,
  undefined,
  0,
  1,
  2,
  -1,
  1.5,
  Number.NaN,
  'a',
  'b',
  'a\0',
  '',
  true,
  false,
  new Date(0),
  new Date(5),
);
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  {
    weight: 1,
    arbitrary: fc.array(
      scalar.map((v) => v ?? null),
      { maxLength: 3 },
    ),
  },
  { weight: 1, arbitrary: fc.record({ x: scalar }) },
);

const documents: fc.Arbitrary<Fields[]> = fc.array(fc.record({ a: value, b: scalar, c: scalar }), {
  minLength: 5,
  maxLength: 40,
});

const operand = scalar.map((v) => v ?? null);
const condition = fc.oneof(
  operand,
  fc.record({ $in: fc.array(operand, { maxLength: 4 }) }),
  fc
    .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$eq', '$ne'), operand)
    .map(([operator, v]) => ({ [operator]: v })),
  fc.tuple(operand, operand).map(([low, high]) => ({ $gte: low, $lt: high })),
  fc.constantFrom({ $exists: true }, { $exists: false }, { $type: 'string' }),
);
const filter = fc.record(
  { a: condition, b: condition, c: condition, 'a.x': condition },
  { requiredKeys: [] },
);
const direction = fc.constantFrom(1, -1);
const sort = fc.dictionary(fc.constantFrom('a', 'b', 'c'), direction, { maxKeys: 3, noNullPrototype: true });
const index = fc.record(
  {
    key: fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'a.x'), { minLength: 1, maxLength: 3 })
      .chain((names) =>
        fc
          .tuple(...names.map(() => direction))
          .map((directions) => Object.fromEntries(names.map((name, i) => [name, directions[i] ?? 1]))),
      ),
    partialFilterExpression: fc.constantFrom(
      { b: 1 },
      { b: { $exists: true } },
      { a: { $gt: 0 } },
      { c: { $type: 'string' } },
      { a: 'a', b: { $gte: 1 } },
    ),
  },
  { requiredKeys: ['key'] },
);

const memory = createMemoryAccount({ log: () => {} });

/** The same documents in a collection with indexes and in one without. Null if an index rejects them. */
function twins(rows: readonly Fields[], indexes: readonly Fields[]) {
  const indexed = createCollection({ namespace: 't.c', listener: SILENT, memory });
  const plain = createCollection({ namespace: 't.c', listener: SILENT, memory });
  try {
    for (const [i, specification] of indexes.entries())
      indexed.addIndex(parseIndexDefinition({ ...specification, name: `i${i}` }));
    rows.forEach((row, _id) => {
      const bytes = Buffer.from(serialize({ _id, ...row }));
      for (const collection of [indexed, plain]) collection.insert(bytes);
    });
  } catch (error) {
    if ((error as { codeName?: string }).codeName === 'CannotIndexParallelArrays') return null;
    throw error;
  }
  return { indexed, plain };
}

function idsOf(result: ReturnType<typeof runQuery>): number[] {
  return result.documents.map(({ record }) => record);
}

describe('embedded-mongodb: an index changes what a query costs, never what it finds', () => {
  it('for any documents, indexes, filters and ranges', () => {
    fc.assert(
      fc.property(
        documents,
        fc.array(index, { minLength: 1, maxLength: 3 }),
        filter,
        sort,
        fc.nat(3),
        fc.nat(6),
        (rows, indexes, wanted, order, skip, limit) => {
          const both = twins(rows, indexes);
          if (!both) return;
          const query = parseQuery(wanted, 'filter');
          const range = { sort: parseSort({ ...order, _id: 1 }), skip, limit }; // _id makes the order total
          expect(idsOf(runQuery(both.indexed, query, range))).to.deep.equal(
            idsOf(runQuery(both.plain, query, range)),
          );
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('by a string _id, with any other conditions', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'none');
    const twoIds = fc
      .tuple(id, id, filter)
      .map(([one, two, rest]) => ({ ...rest, $and: [{ _id: one }, { _id: two }] }));
    const wanted = fc.oneof(
      fc.tuple(id, filter).map(([_id, rest]) => ({ _id, ...rest })),
      fc.tuple(id, id, filter).map(([_id, other, rest]) => ({ ...rest, $or: [{ _id: other }], _id })),
      twoIds,
      id.map((below) => ({ '_id.x': below })),
    );
    fc.assert(
      fc.property(documents, wanted, (rows, asked) => {
        const collection = createCollection({ namespace: 't.c', listener: SILENT, memory });
        for (const [i, row] of rows.slice(0, 3).entries())
          collection.insert(Buffer.from(serialize({ _id: 'abc'[i], ...row })));
        const everything = { sort: [], skip: 0, limit: 0 };
        // No index helps with an $or, so every document is examined.
        const [fast, slow] = [asked, { $or: [asked] }].map((one) =>
          idsOf(runQuery(collection, parseQuery(one, 'filter'), everything)),
        );
        expect(fast).to.deep.equal(slow);
      }),
      { numRuns: RUNS },
    );
  });

  it('after any updates and removals', () => {
    const change = fc.tuple(fc.nat(40), fc.option(fc.record({ a: value, b: scalar, c: scalar })));
    fc.assert(
      fc.property(
        documents,
        fc.array(index, { minLength: 1, maxLength: 3 }),
        fc.array(change, { maxLength: 30 }),
        filter,
        (rows, indexes, changes, wanted) => {
          const both = twins(rows, indexes);
          if (!both) return;
          for (const [_id, after] of changes) {
            for (const collection of [both.indexed, both.plain]) {
              const stored = collection.findById(_id);
              if (!stored) continue;
              try {
                if (after)
                  collection.replace(stored, {
                    before: stored.bytes,
                    after: Buffer.from(serialize({ _id, ...after })),
                  });
                else collection.remove(stored);
              } catch (error) {
                if ((error as { codeName?: string }).codeName === 'CannotIndexParallelArrays') return;
                throw error;
              }
            }
          }
          const query = parseQuery(wanted, 'filter');
          const everything = { sort: [], skip: 0, limit: 0 };
          expect(idsOf(runQuery(both.indexed, query, everything)).sort()).to.deep.equal(
            idsOf(runQuery(both.plain, query, everything)).sort(),
          );
        },
      ),
      { numRuns: RUNS },
    );
  });
});
