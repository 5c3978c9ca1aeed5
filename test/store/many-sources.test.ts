import { mergePages, sourceParts } from '@sluice/store/reading/merge-pages';
import { expect } from 'chai';
import { delivery, useStore } from './support.ts';

const AT = Date.parse('2027-01-01T00:00:00Z');

describe('store: pages of many sources', () => {
  const used = useStore();

  it('have each delivery of 250 sources once, newest first', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `src_${index}`);
    const rows = ids.flatMap((source_id, index) =>
      [0, 1].map((n) =>
        delivery({
          ...{ source_id, delivery_id: `dlv_${String(index).padStart(3, '0')}_${n}` },
          // Many in the same millisecond, with and without a sequence number.
          ...{ received_at: AT + (index % 7) * 1000 + n, sequence: index % 3 === 0 ? null : index },
        }),
      ),
    );
    await used.store.deliveries.insertDeliveries(rows);
    const found: string[] = [];
    type Page = Awaited<ReturnType<typeof used.store.deliverySearch.pageDeliveries>>;
    let page: Page | undefined;
    do {
      const after = page?.items.at(-1);
      page = await used.store.deliverySearch.pageDeliveries(
        { source_id: ids },
        { limit: 50, ...(after !== undefined && { after }) },
      );
      found.push(...page.items.map(({ delivery_id }) => delivery_id));
    } while (page.more);
    const one = await used.store.deliverySearch.oldestIds({ source_id: ids }, rows.length);
    expect(found).to.deep.equal([...one].reverse());
    expect(found).to.have.length(500);
  });

  it('ask for 100 sources at a time, because an index orders no more than 200 ranges', () => {
    const ids = Array.from({ length: 250 }, (_, index) => `src_${index}`);
    expect(sourceParts(ids).map(({ length }) => length)).to.deep.equal([100, 100, 50]);
    expect(sourceParts(ids).flat()).to.deep.equal(ids);
    expect(sourceParts([])).to.deep.equal([[]]);
  });

  it('end where a page was cut, because nothing is known of what follows', () => {
    const numbers = (a: number, b: number) => a - b;
    const cut = { items: [1, 4], more: true };
    const whole = { items: [2, 3, 5, 6], more: false };
    expect(mergePages([cut, whole], 10, numbers)).to.deep.equal({ items: [1, 2, 3, 4], more: true });
    expect(mergePages([whole, { items: [4], more: false }], 3, numbers)).to.deep.equal({
      items: [2, 3, 4],
      more: true,
    });
    expect(mergePages([whole, { items: [], more: false }], 4, numbers)).to.deep.equal(whole);
  });
});
