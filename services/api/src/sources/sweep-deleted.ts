import { type SweepDeletedDeps, sweepDeletedSource } from '@sluice/accounts/sources/sweep-deleted-source';
import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';

export interface SweepDeletedSettings extends SweepDeletedDeps {
  /** Called on failure. The next run tries again. */
  readonly onSweepFailed: (error: unknown) => void;
}

const EVERY_MS = 10_000;

/** Removes what deleted sources left behind: now and then, and when a deletion calls `runNow`. */
export function startSweepingDeleted({ onSweepFailed, ...deps }: SweepDeletedSettings): Repeated {
  const sweep = async (isStopped: () => boolean) => {
    while (!isStopped() && (await sweepDeletedSource(deps)));
  };
  return repeat({ run: sweep, everyMs: EVERY_MS, onError: onSweepFailed });
}
