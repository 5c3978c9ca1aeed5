import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export interface MachineLag {
  /** Ends the watch. Returns the longest wait for the CPU or for one fsync of this process, in milliseconds. */
  stop(): Promise<number>;
}

/** Rare enough to add no load. */
const SYNC_EVERY_MS = 50;

/**
 * Measures the delays of the machine, independent of Sluice. Redis does not respond during an fsync of its file, and a
 * stalling disk delays this process as long.
 */
export async function watchMachine(): Promise<MachineLag> {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-lag-'));
  const file = await open(join(dir, 'synced'), 'w');
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  let watching = true;
  let slowestSync = 0;
  const syncs = (async () => {
    while (watching) {
      const begun = performance.now();
      await file.write('.', 0);
      await file.sync();
      slowestSync = Math.max(slowestSync, performance.now() - begun);
      await sleep(SYNC_EVERY_MS);
    }
  })();
  return {
    async stop() {
      watching = false;
      loop.disable();
      await syncs;
      await file.close();
      await rm(dir, { recursive: true, force: true });
      return Math.max(loop.max / 1e6, slowestSync);
    },
  };
}

/**
 * The bound for a promised time on a machine with this lag. The path waits for the machine several times, in as many
 * processes.
 */
export function atMostMs(promisedMs: number, lagMs: number): number {
  return promisedMs + 3 * lagMs;
}
