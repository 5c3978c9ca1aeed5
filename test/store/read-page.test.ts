import { PAGE_BYTES, readPage } from '@sluice/store/reading/read-page';
import { expect } from 'chai';
import fc from 'fast-check';

const bytesOf = (items: readonly string[]) =>
  items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);

describe('store: a page of a list', () => {
  const sizes = fc.array(fc.oneof(fc.nat(100), fc.integer({ min: 1, max: 1_500_000 })), { maxLength: 12 });

  it('is bounded by count and bytes, and the pages contain each item once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 6 }), async (lengths, limit) => {
        const all = lengths.map((length, index) => `${index}:`.padEnd(length, 'ä'));
        const read: string[] = [];
        for (let more = true; more; ) {
          const rest = all.slice(read.length, read.length + limit + 1);
          const page = await readPage(iterate(rest), limit, (item) => item);
          expect(page.items.length).to.be.at.most(limit);
          if (page.items.length > 1) expect(bytesOf(page.items)).to.be.at.most(PAGE_BYTES);
          read.push(...page.items);
          more = page.more;
        }
        expect(read).to.deep.equal(all);
      }),
      { numRuns: 50 },
    );
  });

  it('is as large as both bounds allow, and always contains the first item', async () => {
    const quarter = 'x'.repeat(PAGE_BYTES / 4 - 2);
    const page = (items: readonly string[], limit: number) => readPage(iterate(items), limit, (item) => item);
    expect(await page(Array(5).fill(quarter), 9))
      .to.have.property('items')
      .with.length(4);
    expect(await page(Array(5).fill('x'), 4)).to.deep.equal({ items: Array(4).fill('x'), more: true });
    expect(await page(Array(4).fill('x'), 4)).to.deep.equal({ items: Array(4).fill('x'), more: false });
    const large = 'x'.repeat(2 * PAGE_BYTES);
    expect(await page([large, 'x'], 9)).to.deep.equal({ items: [large], more: true });
    expect(await page([], 9)).to.deep.equal({ items: [], more: false });
  });

  it('closes its cursor when it ends early', async () => {
    let closed = false;
    async function* cursor() {
      try {
        yield* ['a', 'b', 'c'];
      } finally {
        closed = true;
      }
    }
    await readPage(cursor(), 1, (item) => item);
    expect(closed).to.equal(true);
  });
});

async function* iterate(items: readonly string[]): AsyncGenerator<string> {
  yield* items;
}
