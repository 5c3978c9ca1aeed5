import { createBoundedPages } from '@sluice/store/bounded-pages';
import { expect } from 'chai';
import fc from 'fast-check';

interface Item {
  readonly at: number;
  readonly id: number;
}

/** Enough for the widest bound: a page never needs more queries. */
const MOST_QUERIES = 9;

describe('pages of engines that sort all that a filter selects', () => {
  const NOW = 1_795_250_000_000;
  const timeOf = ({ at }: Item) => at;
  const compare = (a: Item, b: Item) => a.at - b.at || a.id - b.id;

  /** Reads a list to its end, as pages of `limit`. Returns the items and the largest number of queries of a page. */
  async function readAll(stored: readonly Item[], descending: boolean, limit: number) {
    const page = createBoundedPages<Item>(() => NOW);
    const items: Item[] = [];
    const queries: number[] = [];
    for (let more = true; more; ) {
      const last = items.at(-1);
      let asked = 0;
      const beyond = (one: Item) =>
        last === undefined || (descending ? compare(one, last) < 0 : compare(one, last) > 0);
      const read = await page({ name: 'list', descending, after: last?.at, timeOf }, async (bound) => {
        asked++;
        const within = ({ at }: Item) => bound === undefined || (descending ? at >= bound : at <= bound);
        const found = stored
          .filter((one) => beyond(one) && within(one))
          .sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
        return { items: found.slice(0, limit), more: found.length > limit };
      });
      queries.push(asked);
      items.push(...read.items);
      more = read.more;
    }
    return { items, queries };
  }

  it('have each item once, in order, whatever the times are', async () => {
    const ages = fc.array(fc.oneof(fc.nat(10), fc.nat(100_000), fc.nat(200 * 365 * 86_400_000)), {
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
          expect(Math.max(...queries)).to.be.at.most(MOST_QUERIES);
        },
      ),
    );
  });

  it('remember how far a page reaches, so that the next one takes one query', async () => {
    const stored = Array.from({ length: 60 }, (_, id) => ({ at: NOW - 86_400_000 * (id + 400), id }));
    const { queries } = await readAll(stored, true, 10);
    expect(queries.slice(2, -1)).to.deep.equal([1, 1, 1]);
  });

  it('begin with a bound that contains the first page, also long after it', async () => {
    const stored = Array.from({ length: 60 }, (_, id) => ({ at: NOW - 86_400_000 * (id + 400), id }));
    let now = NOW;
    const page = createBoundedPages<Item>(() => now);
    let asked = 0;
    const read = async (bound = Number.NEGATIVE_INFINITY) => {
      asked++;
      const found = stored.filter(({ at }) => at >= bound);
      return { items: found.slice(0, 10), more: found.length > 10 };
    };
    const list = { name: 'list', descending: true, after: undefined, timeOf };
    await page(list, read);
    [asked, now] = [0, NOW + 86_400_000];
    expect((await page(list, read)).items).to.deep.equal(stored.slice(0, 10));
    expect(asked).to.equal(1);
  });
});
