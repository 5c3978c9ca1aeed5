import { setTimeout as sleep } from 'node:timers/promises';

/** The counts that tell whether a pipeline is done. */
export interface Draining {
  /** Jobs that wait or are in work. */
  waiting(): Promise<number>;
  /** Actions applied and logged so far. */
  applied(): Promise<number>;
}

/** Polling interval of Redis, and so the resolution of the measured durations. Polling a worker would cost it CPU time. */
const LOOK_MS = 20;

/** If nothing changes for this long, something is lost or stuck. */
const STALL_MS = 30_000;

/** A worker may report its last actions a moment after its last job is done. */
const TELL_MS = 2_000;

/** Resolves to the time when nothing waits any longer. Throws unless exactly this many actions were applied, or if nothing changes. */
export async function waitApplied(count: number, { waiting, applied }: Draining): Promise<number> {
  let last = -1;
  let movedAt = performance.now();
  for (let left = await waiting(); left > 0; left = await waiting()) {
    if (left !== last) [last, movedAt] = [left, performance.now()];
    if (performance.now() - movedAt > STALL_MS) throw new Error(`${left} jobs wait, and none is done`);
    await pause();
  }
  const emptyAt = performance.now();
  let done = await applied();
  while (done < count && performance.now() - emptyAt < TELL_MS) {
    await pause();
    done = await applied();
  }
  if (done !== count) throw new Error(`${done} actions were applied, of ${count} that were accepted`);
  return emptyAt;
}

const pause = () => sleep(LOOK_MS);
