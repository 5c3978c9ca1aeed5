import { within } from '../timing/within.ts';

/** Returns or resolves when work can flow. Throws or rejects with the reason when it cannot. */
export type Check = () => Promise<unknown> | unknown;

/**
 * Probes share one command to a frozen store; otherwise each probe would add one that waits in memory.
 * After this time a new command is sent, because a driver may have lost the first. Milliseconds.
 */
const HUNG_MS = 5_000;

/** Resolves within `timeoutMs` to `ok` or to the reason. While a run hangs, a new one starts every 5 s at most. */
export function boundCheck(check: Check, timeoutMs: number): () => Promise<string> {
  let pending: Promise<string> | undefined;
  let begunAt = 0;

  function begin(): Promise<string> {
    begunAt = performance.now();
    const begun = outcomeOf(check).finally(() => {
      if (pending === begun) pending = undefined;
    });
    return begun;
  }

  return () => {
    if (pending === undefined || performance.now() - begunAt >= HUNG_MS) pending = begin();
    return within(timeoutMs, pending, () => `no answer within ${timeoutMs} ms`);
  };
}

async function outcomeOf(check: Check): Promise<string> {
  try {
    await check();
    return 'ok';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
