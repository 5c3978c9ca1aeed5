import { randomInt } from 'node:crypto';

/**
 * Tests with repetitions have three sizes. `npm test` and `npm test -- --ci` run the short one, and `npm test -- --nightly`
 * the middle one. `npm run test:faults` (FAULTS=long) runs the long one, which takes minutes per test. Sizes change the number and length of repetitions, not the assertions.
 */
export const LONG = process.env.FAULTS === 'long';
const MIDDLE = process.env.FAULTS === 'middle';

/** The middle defaults to the short size, and the long one to the middle. */
export function sized<T>({
  short,
  middle = short,
  long = middle,
}: {
  readonly short: T;
  readonly middle?: T;
  readonly long?: T;
}): T {
  if (LONG) return long;
  return MIDDLE ? middle : short;
}

process.env.SEED ||= String(randomInt(1, 2 ** 31));

/**
 * All random values of a run derive from it. SEED=… gives the same requests, and the same kills after the same number
 * of them. The workers of `mocha --parallel` inherit it.
 */
export const seed = Number(process.env.SEED);
