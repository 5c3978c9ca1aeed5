import { setImmediate as nextTurn } from 'node:timers/promises';

/** Waits until the condition is true. Throws after the deadline (milliseconds), so that nothing hangs. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadline = 30_000,
): Promise<void> {
  const end = Date.now() + deadline;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited ${deadline} ms in vain until ${what}`);
    await nextTurn();
  }
}
