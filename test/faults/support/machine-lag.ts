import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

export interface MachineLag {
  /** Ends the watch. The longest that this process was kept from the CPU, or one fsync of its own took. Milliseconds. */
  stop(): Promise<number>;
}

/** Seldom enough to be no load of its own. */
const SYNC_EVERY_MS = 50;

/**
 * Watches how late the machine itself is, by what has nothing to do with Sluice: Redis answers nothing while an fsync
 * of its file lasts, and on a disk that stalls that takes as long here.
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
      await pause(SYNC_EVERY_MS);
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

/** What is promised within so long takes at most this on a machine that is so late: it waits for it several times, in as many processes. */
export function atMostMs(promisedMs: number, lagMs: number): number {
  return promisedMs + 3 * lagMs;
}
