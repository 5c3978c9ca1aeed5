import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_MS = 50;

/**
 * A pause before the next try of a guarded write, longer after more lost rounds; without a number of rounds, of the longest.
 * It is random, because writers that pause for the same time race again.
 */
export function afterLostRace(round = Number.POSITIVE_INFINITY): Promise<void> {
  return sleep(Math.random() * Math.min(LONGEST_MS, 2 ** round));
}
