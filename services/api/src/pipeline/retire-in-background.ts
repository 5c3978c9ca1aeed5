import { type RetireDeps, retirePortion } from './retire-stage.ts';

export interface RetireInBackgroundDeps extends RetireDeps {
  /** Called on failure. The next look tries again. */
  readonly onRetiringFailed: (error: unknown) => void;
  /** How often to look. Milliseconds. */
  readonly everyMs?: number;
}

const EVERY_MS = 3000;

/** Moves the leads out of stages that are being retired, also after the dialog was closed and after a restart. */
export function startRetiring(deps: RetireInBackgroundDeps): { stop(): Promise<void> } {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer = later();

  function later() {
    return setTimeout(() => {
      running = look()
        .catch(deps.onRetiringFailed)
        .finally(() => {
          if (!stopped) timer = later();
        });
    }, deps.everyMs ?? EVERY_MS).unref();
  }

  /** A portion of each stage in rounds, so that a stage with many leads delays no other account. */
  async function look(): Promise<void> {
    for (let moved = 1; moved > 0 && !stopped; ) {
      moved = 0;
      for (const { account_id, stages } of await deps.leadDeps.leadSettings.listRetiring())
        for (const { id, retiring } of stages)
          if (retiring !== undefined && !stopped) moved += (await retirePortion(deps, account_id, id)).moved;
    }
  }

  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
