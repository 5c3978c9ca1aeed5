import { DAY_MS } from '@sluice/contract/durations';
import { createBoundedPages } from '@sluice/store/reading/bounded-pages';
import { MOST_SORTED } from '@sluice/store/reading/find-bound';
import type { Page } from '@sluice/store/reading/read-page';
import { expect } from 'chai';
import fc from 'fast-check';

interface Item {
  readonly at: number;
  readonly id: number;
  readonly rare?: boolean;
}

/** A short list is counted up to three times, and read once. A guess is counted and read before. */
const MOST_QUERIES = 6;

const NOW = 1_795_250_000_000;
const timeOf = ({ at }: Item) => at;
const compare = (a: Item, b: Item) => a.at - b.at || a.id - b.id;

/** An engine that sorts all items within the bound. It notes how many these are, and each count. */
function createEngine(stored: readonly Item[], now: () => number = () => NOW) {
  const page = createBoundedPages<Item>(now);
  const seen = { queries: 0, mostSorted: 0 };
  async function readPage(
    descending: boolean,
    limit: number,
    last?: Item,
    rare?: boolean,
  ): Promise<Page<Item>> {
    const order = descending ? (a: Item, b: Item) => compare(b, a) : compare;
    const within = (bound: number | undefined) =>
      stored.filter(
        (one) =>
          (!rare || one.rare) &&
          (last === undefined || order(one, last) > 0) &&
          (bound === undefined || (descending ? one.at >= bound : one.at <= bound)),
      );
    const whole = `${descending} 2`;
    const name = rare ? `rare ${descending} ${limit}` : `${descending} ${limit}`;
    return page(
      { name, whole, descending, after: last?.at, limit, timeOf },
      {
        async read(bound) {
          seen.queries++;
          const found = within(bound).sort(order);
          seen.mostSorted = Math.max(seen.mostSorted, found.length);
          return { items: found.slice(0, limit), more: found.length > limit };
        },
        async count(bound, most) {
          seen.queries++;
          return Math.min(most, within(bound).length);
        },
        readWhole: () => readPage(descending, 2),
      },
    );
  }
  return { readPage, seen };
}

/** Reads a list to its end, as pages of `limit`. Returns the items and the largest number of queries of a later page. */
async function readAll(stored: readonly Item[], descending: boolean, limit: number) {
  const { readPage, seen } = createEngine(stored);
  const items: Item[] = [];
  const queries: number[] = [];
  for (let more = true; more; ) {
    seen.queries = 0;
    const read = await readPage(descending, limit, items.at(-1));
    queries.push(seen.queries);
    items.push(...read.items);
    more = read.more;
  }
  return { items, queries };
}

describe('pages of engines that sort all that a filter selects', () => {
  it('have each item once, in order, whatever the times are', async () => {
    const ages = fc.array(fc.oneof(fc.nat(10), fc.nat(100_000), fc.nat(200 * 365 * DAY_MS)), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(
        ages,
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        async (some, descending, limit) => {
          const stored = some.map((age, id) => ({ at: NOW - age, id }));
          const { items, queries } = await readAll(stored, descending, limit);
          const sorted = stored.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)));
          expect(items).to.deep.equal(sorted);
          expect(Math.max(...queries.slice(1))).to.be.at.most(2 * MOST_QUERIES);
        },
      ),
    );
  });

  it('remember how far a page reaches, so that the next one takes one count and one query', async () => {
    const stored = Array.from({ length: 60 }, (_, id) => ({ at: NOW - DAY_MS * (id + 400), id }));
    const { queries } = await readAll(stored, true, 10);
    expect(queries.slice(2, -1)).to.deep.equal([2, 2, 2]);
  });

  for (const descending of [true, false])
    it(`sort few items of many that were added at once a year ago, ${descending ? 'newest' : 'oldest'} first`, async () => {
      const stored = Array.from({ length: 50_000 }, (_, id) => ({ at: NOW - 365 * DAY_MS + id * 6, id }));
      const { readPage, seen } = createEngine(stored);
      const { items } = await readPage(descending, 50);
      expect(items).to.deep.equal(descending ? stored.slice(-50).reverse() : stored.slice(0, 50));
      expect(seen.mostSorted).to.be.at.most(MOST_SORTED);
      expect(seen.queries).to.be.at.most(50);
    });

  it('sort few items after many were added since the last page', async () => {
    const stored: Item[] = Array.from({ length: 100 }, (_, id) => ({ at: NOW - DAY_MS * (200 - id), id }));
    let now = NOW;
    const { readPage, seen } = createEngine(stored, () => now);
    await readPage(true, 10);
    now += DAY_MS;
    for (let id = 100; id < 20_000; id++) stored.push({ at: NOW + id, id });
    const { items } = await readPage(true, 10);
    expect(items).to.deep.equal(stored.slice(-10).reverse());
    expect(seen.mostSorted).to.be.at.most(MOST_SORTED);
  });

  it('find a few items among many with some counts', async () => {
    const stored = Array.from({ length: 50_000 }, (_, id) => ({
      ...{ at: NOW - 365 * DAY_MS + id * 1000, id },
      ...(id % 5000 === 0 && { rare: true }),
    }));
    const { readPage, seen } = createEngine(stored);
    await readPage(true, 2);
    seen.queries = 0;
    const { items } = await readPage(true, 50, undefined, true);
    expect(items.map(({ id }) => id)).to.deep.equal(Array.from({ length: 10 }, (_, i) => 45_000 - 5000 * i));
    expect(seen.queries).to.equal(4);
  });

  it('begin with a bound that contains the first page, also long after it', async () => {
    const stored = Array.from({ length: 60 }, (_, id) => ({ at: NOW - DAY_MS * (460 - id), id }));
    let now = NOW;
    const { readPage, seen } = createEngine(stored, () => now);
    await readPage(true, 10);
    [seen.queries, now] = [0, NOW + DAY_MS];
    expect((await readPage(true, 10)).items).to.deep.equal(stored.slice(-10).reverse());
    expect(seen.queries).to.equal(2);
  });
});
