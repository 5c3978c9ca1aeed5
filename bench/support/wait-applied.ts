/** How often it is looked: the resolution of every duration that ends with the last action. */
const LOOK_MS = 50;

/** No action in this time: something is lost or stuck. */
const STALL_MS = 30_000;

/** Resolves once so many actions are applied; throws when nothing has moved for a while, or there are more. */
export async function waitApplied(count: number, applied: () => Promise<number>): Promise<void> {
  let last = -1;
  let movedAt = performance.now();
  for (;;) {
    const now = await applied();
    if (now === count) return;
    if (now > count) throw new Error(`${now} actions were applied, of ${count} that were accepted`);
    if (now !== last) [last, movedAt] = [now, performance.now()];
    if (performance.now() - movedAt > STALL_MS)
      throw new Error(`${now} of ${count} actions were applied, and no more in ${STALL_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
