import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_MS = 50;

/** A pause before the next try of a guarded write. Without a number of rounds it is of the longest. */
export function afterLostRace(round?: number): Promise<void> {
  return sleep(pauseMs(round, Math.random()));
}

/**
 * It is random, because writers that pause for the same time race again, and longer after more lost rounds. `random`: from 0 to below 1.
 */
export function pauseMs(round: number | undefined, random: number): number {
  return random * Math.min(LONGEST_MS, 2 ** (round ?? Number.POSITIVE_INFINITY));
}
