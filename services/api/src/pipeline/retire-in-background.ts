import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';
import { type RetireDeps, retirePortion } from './retire-stage.ts';

export interface RetireInBackgroundDeps extends RetireDeps {
  /** Called on failure. The next look tries again. */
  readonly onRetiringFailed: (error: unknown) => void;
}

const EVERY_MS = 3000;

/** Moves the leads out of stages that are being retired, also after the dialog was closed and after a restart. */
export function startRetiring(deps: RetireInBackgroundDeps): Repeated {
  const run = (isStopped: () => boolean) => retireAll(deps, isStopped);
  return repeat({ run, everyMs: EVERY_MS, onError: deps.onRetiringFailed });
}

/** A portion of each stage in rounds, so that a stage with many leads delays no other account. */
async function retireAll(deps: RetireDeps, isStopped: () => boolean): Promise<void> {
  for (let moved = 1; moved > 0 && !isStopped(); ) {
    moved = 0;
    for (const { account_id, stages } of await deps.leadDeps.leadSettings.listRetiring())
      for (const { id, retiring } of stages)
        if (retiring !== undefined && !isStopped())
          moved += (await retirePortion(deps, account_id, id)).moved;
  }
}
