import type { Context, RootHookObject } from 'mocha';
import { provideRedisBinary } from '../../tools/launcher/src/redis-binary.ts';
import { clearReport, noteBegin, printReport } from '../faults/support/report.ts';
import { closeAtTheEnd } from './at-the-end.ts';
import { provideChromium } from './chromium.ts';
import { processesBelow } from './processes-of.ts';
import { makeRunFolder } from './run-folder.ts';
import { closeSharedRedis, openSharedRedis } from './shared-redis.ts';
import { noteFile, noteKilled, printSlowestFiles, startTimes } from './slowest-files.ts';

/** Loaded by mocha (`require` in .mocharc.json), with `--parallel` also in each worker. */

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
for (const [signal, number] of Object.entries(SIGNALS))
  process.once(signal, () => process.exit(128 + number));

// A worker ends without waiting for what its files share, and for what a test left running.
process.once('exit', () => {
  const pids = processesBelow(process.pid);
  noteKilled(pids);
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
});

/** With `--parallel` these run for each file. */
export const mochaHooks: RootHookObject = {
  beforeEach(this: Context) {
    noteBegin(this.currentTest);
  },
  afterAll: [closeAtTheEnd, noteFile],
};

/** Once for the run, in the first process. What it adds to the environment is inherited by the workers. */
export async function mochaGlobalSetup(this: { isParallelMode(): boolean }): Promise<void> {
  makeRunFolder();
  if (!process.env.REDIS_URL) {
    const redis = await provideRedisBinary({ say });
    if (!redis.ok) throw new Error(redis.detail);
  }
  // Otherwise two workers would install it at once. Without it, the tests that need it report why.
  if (process.argv.some((arg) => arg.includes('test/browser')))
    await provideChromium().catch((error: Error) => say(error.message));
  await openSharedRedis();
  clearReport();
  if (this.isParallelMode()) startTimes();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await closeSharedRedis();
  printReport();
  printSlowestFiles();
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
