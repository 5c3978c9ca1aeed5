import { join } from 'node:path';
import { type CpuOf, cpuOf, cpuOfEach } from './cpu.ts';
import { expectRows, type Pipeline } from './pipeline.ts';
import { type Compose, presign } from './sign-requests.ts';
import type { Keep } from './stage.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { waitApplied } from './wait-applied.ts';
import { wrkSend } from './wrk.ts';

export interface RunThrough {
  readonly actions: number;
  /** Time from the first request until the last action is applied and logged. */
  readonly seconds: number;
  readonly actionsPerSecond: number;
  /** Time until the last request was sent. */
  readonly sendSeconds: number;
  readonly cpuUs: CpuOf<keyof Pipeline['parts']>;
}

export interface RunThroughSettings {
  readonly actions: number;
  readonly connections: number;
  /** The warm-up runs parts of this many actions until they have lasted `warmUpSeconds` in total, and at least one part. */
  readonly warmUpSeconds: number;
  /** Default: upserts of Sluice. */
  readonly compose?: Compose;
}

/**
 * Seconds until V8 has compiled the hot code of any pipeline. A number of actions is no measure, because cheap actions end
 * soon: at 2,500 a second the other threads of a worker's Node used 80 us an action in the first six seconds, 38 in the
 * next six, 23 in the six after, and 13 from then on.
 */
export const WARM_UP_SECONDS = 20;

/** Number of writes to each event: one creates it, the others update it. */
const ACTIONS_AN_EVENT = 4;

/** Sends an exact number of requests as fast as the server responds, and waits until all are applied. */
export async function runThrough(
  keep: Keep,
  pipeline: Pipeline,
  { actions, connections, warmUpSeconds, compose }: RunThroughSettings,
): Promise<RunThrough> {
  const { url, sources, parts } = pipeline;
  const { path } = await keep(temporaryFolder());
  const requests = join(path, 'requests');
  let done = 0;
  const runPart = async (): Promise<RunThrough> => {
    const events = Math.ceil(actions / ACTIONS_AN_EVENT);
    await presign({ file: requests, count: actions, targets: sources, events, from: done, compose });
    done += actions;
    const before = await cpuOf(parts);
    const since = performance.now();
    const { sentAt, finish } = await wrkSend({ url, requests, connections, count: actions });
    await finish();
    const seconds = ((await waitApplied(done, pipeline)) - since) / 1000;
    return {
      actions,
      seconds,
      actionsPerSecond: actions / seconds,
      sendSeconds: (sentAt - since) / 1000,
      cpuUs: cpuOfEach(before, await cpuOf(parts), actions),
    };
  };
  for (let warm = 0; warm === 0 || warm < warmUpSeconds; ) warm += (await runPart()).seconds;
  const measured = await runPart();
  await expectRows(parts.store.db, done);
  return measured;
}
