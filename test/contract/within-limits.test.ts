import { countWithin, groupsWithin, type Limits } from '@sluice/contract/delivery/within-limits';
import { expect } from 'chai';
import fc from 'fast-check';

const sizes = fc.array(fc.nat(20), { maxLength: 60 });
const limits = fc.record({ maxItems: fc.integer({ min: 1, max: 10 }), maxSize: fc.nat(50) });
const sizeOf = (size: number) => size;
const sum = (items: readonly number[]) => items.reduce((total, item) => total + item, 0);
const fits = (items: readonly number[], { maxItems, maxSize }: Omit<Limits<number>, 'sizeOf'>) =>
  items.length <= 1 || (items.length <= maxItems && sum(items) <= maxSize);

describe('groups within limits', () => {
  it('contain every item once, in order', () => {
    fc.assert(
      fc.property(sizes, limits, (items, limit) => {
        expect(groupsWithin(items, { ...limit, sizeOf }).flat()).to.deep.equal(items);
      }),
    );
  });

  it('keep both limits, except for a single item that is too large', () => {
    fc.assert(
      fc.property(sizes, limits, (items, limit) => {
        for (const group of groupsWithin(items, { ...limit, sizeOf })) {
          expect(group).not.to.deep.equal([]);
          expect(fits(group, limit)).to.equal(true);
        }
      }),
    );
  });

  it('contain as many items as fit', () => {
    fc.assert(
      fc.property(sizes, limits, fc.nat(60), (items, limit, from) => {
        const count = countWithin(items, { ...limit, sizeOf }, Math.min(from, items.length));
        const rest = items.slice(Math.min(from, items.length));
        if (count < rest.length) expect(fits(rest.slice(0, count + 1), limit)).to.equal(false);
        else expect(count).to.equal(rest.length);
      }),
    );
  });
});
