/** What has to be known of a pipeline to wait for it. */
export interface Draining {
  /** Jobs that wait or are being worked on. */
  waiting(): Promise<number>;
  /** Actions applied and logged so far. */
  applied(): Promise<number>;
}

/** How often Redis is asked: the resolution of every duration that ends with the last action. Asking a worker would cost it. */
const LOOK_MS = 20;

/** Nothing has moved in this time: something is lost or stuck. */
const STALL_MS = 30_000;

/** A worker may tell of its last actions a moment after its last job is gone. */
const TELL_MS = 2_000;

/** Resolves, once nothing waits, to when that was; throws unless exactly so many actions were applied, or when all stands still. */
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

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS));
