import { createOrderedEntries } from '@sluice/embedded-mongodb/order/ordered-entries';
import { inverted, valueKey } from '@sluice/embedded-mongodb/order/value-key';
import { Binary, Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import { expect } from 'chai';
import fc from 'fast-check';

const sign = (left: string | number | bigint, right: string | number | bigint): number =>
  left < right ? -1 : left > right ? 1 : 0;
const compare = (left: unknown, right: unknown): number => sign(valueKey(left), valueKey(right));
const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 2 ** 53, -(2 ** 53), Infinity, -Infinity),
);
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('embedded-mongodb: the order of values', () => {
  it('one value of each kind is sorted in the order of the manual', () => {
    const ordered = [null, 5, 'text', { a: 1 }, [1], new ObjectId(), true, new Date(0)];
    const keys = ordered.map(valueKey);
    expect(keys.toSorted()).to.deep.equal(keys);
    expect(keys.map(inverted).toSorted().reverse()).to.deep.equal(keys.map(inverted));
  });

  it('numbers of all types compare as numbers', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(compare(new Double(a), b)).to.equal(sign(a, b));
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(long, long, (a, b) => {
        expect(compare(Long.fromBigInt(a), Long.fromBigInt(b))).to.equal(sign(a, b));
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(long, number, (a, b) => {
        expect(compare(Long.fromBigInt(a), b)).to.equal(sign(a, b));
      }),
      { numRuns: 300 },
    );
    expect(compare(new Int32(7), Long.fromNumber(7))).to.equal(0);
    expect(compare(1.8e15 + 1, Long.fromNumber(1.8e15 + 1))).to.equal(0);
    expect(compare(Number.NaN, -Infinity)).to.equal(-1);
  });

  it('texts compare by their UTF-8 bytes, also with zero bytes in them', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'é', '😀', '\x7f') }),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compare(a, b)).to.equal(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
      { numRuns: 500 },
    );
  });

  it('no key is a prefix of another, so compound keys compare field by field', () => {
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '\0', 'b'), maxLength: 3 }),
      fc.integer({ min: -2, max: 2 }),
      fc.constant(null),
      fc.date({ noInvalidDate: true }),
    );
    fc.assert(
      fc.property(value, value, value, value, (a, b, x, y) => {
        const expected = compare(a, b) || compare(y, x);
        const left = valueKey(a) + inverted(valueKey(x));
        const right = valueKey(b) + inverted(valueKey(y));
        expect(sign(left, right)).to.equal(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('equal values have the same key', () => {
    fc.assert(
      fc.property(fc.object(), (value) => {
        expect(valueKey(structuredClone(value))).to.equal(valueKey(value));
      }),
    );
  });

  it('a value of another type is rejected by name instead of compared wrongly', () => {
    expect(() => valueKey(Decimal128.fromString('1'))).to.throw(/type Decimal128 is not supported/);
    expect(() => valueKey(new Binary(Buffer.of(1)))).to.throw(/type Binary is not supported/);
  });
});

describe('embedded-mongodb: ordered entries', () => {
  it('contain the same as a sorted map, after any insertions, removals and ranges', () => {
    const key = fc.integer({ min: 0, max: 3000 }).map((n) => String(n).padStart(4, '0'));
    const step = fc.tuple(fc.boolean(), key);
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 100, maxLength: 3000, size: 'max' }),
        key,
        key,
        fc.boolean(),
        (steps, from, to, reverse) => {
          const entries = createOrderedEntries<string>();
          const model = new Map<string, string>();
          for (const [remove, name] of steps) {
            if (remove && name > '1500') expect(entries.remove(name)).to.equal(model.delete(name));
            else {
              entries.insert(name, name);
              model.set(name, name);
            }
          }
          const expected = [...model.keys()].sort().filter((name) => name >= from && name < to);
          if (reverse) expected.reverse();
          expect(entries.size).to.equal(model.size);
          expect([...entries.range(from, to, reverse)].map(([name]) => name)).to.deep.equal(expected);
          expect([...entries.range(null, null)].length).to.equal(model.size);
        },
      ),
      { numRuns: 20 },
    );
  });
});
