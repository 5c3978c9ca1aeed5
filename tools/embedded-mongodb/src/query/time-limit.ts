import { CommandError } from '../errors.ts';

/** The time limit of a command. */
export interface TimeLimit {
  /** Call this for each document that is read. Throws 50 MaxTimeMSExpired once the time is over. */
  readonly spend: () => void;
}

/** Documents between two reads of the clock, which take some tenths of a millisecond. */
const AT_ONCE = 256;

export const NO_LIMIT: TimeLimit = { spend: () => {} };

/** A limit in milliseconds from now (manual, "cursor.maxTimeMS"). Undefined and 0 mean no limit. */
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
