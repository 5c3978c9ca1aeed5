import { SECOND_MS } from '@sluice/contract/time/durations';

/** How often the same reason is logged again. */
const LOG_AGAIN_MS = 30 * SECOND_MS;

/** Whether to log a reason now. `now`: milliseconds of a clock that is never set. The interval is per reason, because two reasons may alternate. */
export function createReminder(now: () => number = () => performance.now()): (reason: string) => boolean {
  const loggedAt = new Map<string, number>();
  return (reason) => {
    // A reason may name a record, so that many differ.
    for (const [one, at] of loggedAt) if (now() - at >= LOG_AGAIN_MS) loggedAt.delete(one);
    if (loggedAt.has(reason)) return false;
    loggedAt.set(reason, now());
    return true;
  };
}
