import { CommandError } from '../errors.ts';

/** How long a command may look at documents. */
export interface TimeLimit {
  /** To be called for each document that is looked at. Throws 50 MaxTimeMSExpired once the time is over. */
  readonly spend: () => void;
}

/** Documents between two looks at the clock: some tenths of a millisecond. */
const AT_ONCE = 256;

export const NO_LIMIT: TimeLimit = { spend: () => {} };

/** A limit of so many milliseconds from now on (manual, "cursor.maxTimeMS"); undefined and 0 are none. */
export function createTimeLimit(milliseconds: number | undefined, now: () => number): TimeLimit {
  if (!milliseconds) return NO_LIMIT;
  const end = now() + milliseconds;
  let looked = 0;
  return {
    spend() {
      if (++looked % AT_ONCE === 0 && now() > end)
        throw new CommandError('MaxTimeMSExpired', 'operation exceeded time limit');
    },
  };
}
