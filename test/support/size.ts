import { randomInt } from 'node:crypto';

/**
 * Tests with repetitions have three sizes. `npm test` runs the short one, and `npm test -- --all` the middle one, but the
 * short one on the second database engine. `npm run test:faults` (FAULTS=long) runs the long one, which takes minutes per
 * test. Sizes change the number and length of repetitions, not the assertions.
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

/**
 * All random values of a run derive from it. SEED=… gives the same requests, and the same kills after the same number
 * of them.
 */
export const seed = Number(process.env.SEED) || randomInt(1, 2 ** 31);
