import { type SweepDeletedDeps, sweepDeletedSource } from '@sluice/management/sweep-deleted-source';

export interface SweepDeletedSettings extends SweepDeletedDeps {
  /** Called on failure. The next run tries again. */
  readonly onSweepFailed: (error: unknown) => void;
}

const EVERY_MS = 10_000;

/** Removes what deleted sources left behind: now and then, and right after a deletion. */
export function startSweepingDeleted({ onSweepFailed, ...deps }: SweepDeletedSettings) {
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  const sweep = async () => {
    while (!isStopped && (await sweepDeletedSource(deps)));
  };
  const run = () => {
    running = running.then(sweep).catch(onSweepFailed);
  };
  const timer = setInterval(run, EVERY_MS).unref();
  return {
    now: run,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
