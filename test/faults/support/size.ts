import { randomInt } from 'node:crypto';

/**
 * Every fault test has two sizes: short, in `npm test`, and long, in `npm run test:faults` (FAULTS=long), which takes
 * minutes. They differ in how often and how long, not in what is asked.
 */
export const LONG = process.env.FAULTS === 'long';

export function sized<T>({ short, long }: { readonly short: T; readonly long: T }): T {
  return LONG ? long : short;
}

/** Everything random in a run comes from it: SEED=… gives the same requests, and the same kills after as many of them. */
export const seed = Number(process.env.SEED) || randomInt(1, 2 ** 31);
