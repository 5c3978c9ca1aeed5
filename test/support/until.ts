import { setTimeout as sleep } from 'node:timers/promises';

/** The first check comes early. Later checks are rarer, so that they do not slow down a long wait. */
const FIRST_POLL_MS = 5;
const LAST_POLL_MS = 100;
const SLOWER = 1.25;
/** A bound for a condition that never becomes true. A loaded machine takes many times as long as an idle one. */
const WITHIN_MS = 90_000;

/** Polls until a condition without an event is true. Rejects with `what` after the timeout. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  {
    withinMs = WITHIN_MS,
    what = condition.toString(),
  }: { readonly withinMs?: number; readonly what?: string } = {},
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (let pollMs = FIRST_POLL_MS; !(await condition()); pollMs = Math.min(LAST_POLL_MS, pollMs * SLOWER)) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(pollMs);
  }
}
