import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSecondsOf } from './processes.ts';
import { sumOfProcessesLike } from './processes-like.ts';

/** Processes are at rest once all of them together use less than this share of a core. */
const AT_REST = 0.1;
const LOOK_MS = 1_000;
const REST_WITHIN_MS = 600_000;

/** Resolves to the CPU time of all processes whose command line matches one of the patterns, in seconds. */
export async function cpuSecondsLike(patterns: readonly RegExp[]): Promise<number> {
  const sums = await Promise.all(patterns.map((pattern) => sumOfProcessesLike(pattern, cpuSecondsOf)));
  return sums.reduce((a, b) => a + b, 0);
}

/**
 * Waits until the processes of a peer are at rest. A peer may deliver or log after its response. That work belongs to what was
 * measured, and must not load whatever is measured next. Throws if they are still busy after ten minutes.
 */
export async function untilAtRest(patterns: readonly RegExp[]): Promise<void> {
  const since = performance.now();
  for (let used = await cpuSecondsLike(patterns); ; ) {
    await sleep(LOOK_MS);
    const now = await cpuSecondsLike(patterns);
    if (now - used < (AT_REST * LOOK_MS) / 1000) return;
    if (performance.now() - since > REST_WITHIN_MS)
      throw new Error('the peer is still busy ten minutes after its last response');
    used = now;
  }
}
