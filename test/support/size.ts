import { randomInt } from 'node:crypto';

/**
 * Tests that repeat something have sizes: short in `npm test`, middle in `npm test -- --all`, and long in
 * `npm run test:faults` (FAULTS=long), which takes minutes each. They differ in how often and how long, not in what is
 * asked.
 */
export const LONG = process.env.FAULTS === 'long';
const MIDDLE = process.env.FAULTS === 'middle';

/** Where no middle is given it is the short one, and so is long. */
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

/** Everything random in a run comes from it: SEED=… gives the same requests, and the same kills after as many of them. */
export const seed = Number(process.env.SEED) || randomInt(1, 2 ** 31);
