import { join } from 'node:path';
import { type CpuOfParts, cpuOf, cpuPerAction } from './cpu.ts';
import { expectRows, type Pipeline } from './pipeline.ts';
import { presign } from './presign.ts';
import type { Keep } from './stage.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { waitApplied } from './wait-applied.ts';
import { type WrkAllSettings, wrkAll } from './wrk.ts';

export interface RunThrough {
  readonly actions: number;
  /** Time from the first request until the last action is applied and logged. */
  readonly seconds: number;
  readonly actionsPerSecond: number;
  /** Time until the last request was sent. */
  readonly sendSeconds: number;
  readonly cpuUs: CpuOfParts;
}

export interface RunThroughSettings {
  readonly actions: number;
  readonly connections: number;
  /** The warm-up runs parts of this many actions until they have lasted `warmUpSeconds` in total, and at least one part. */
  readonly warmUpSeconds: number;
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
  { actions, connections, warmUpSeconds }: RunThroughSettings,
): Promise<RunThrough> {
  const { path } = await keep(temporaryFolder());
  let done = 0;
  const runPart = async (): Promise<RunThrough> => {
    const part = { path, connections, from: done, count: actions };
    done += actions;
    return measurePart(pipeline, part, () => waitApplied(done, pipeline));
  };
  for (let warm = 0; warm === 0 || warm < warmUpSeconds; ) warm += (await runPart()).seconds;
  const measured = await runPart();
  await expectRows(pipeline.store.db, done);
  return measured;
}

interface Part {
  readonly path: string;
  readonly connections: number;
  /** The number of its first request. */
  readonly from: number;
  readonly count: number;
}

async function measurePart(
  pipeline: Pipeline,
  { path, connections, from, count }: Part,
  applied: () => Promise<number>,
): Promise<RunThrough> {
  const { urls, sources } = pipeline;
  const requests = join(path, 'requests');
  // The requests are signed before the clock starts.
  await presign({
    file: requests,
    count,
    targets: sources,
    events: Math.ceil(count / ACTIONS_AN_EVENT),
    from,
  });
  const before = await cpuOf(pipeline);
  const since = performance.now();
  const sentAt = await sendAll(urls, { requests, connections, from: 0, count });
  const seconds = ((await applied()) - since) / 1000;
  const after = await cpuOf(pipeline);
  return {
    actions: count,
    seconds,
    actionsPerSecond: count / seconds,
    sendSeconds: (sentAt - since) / 1000,
    cpuUs: cpuPerAction(before, after, count),
  };
}

/** Divides requests and connections evenly over the ingresses. Resolves to the time of the last request. */
async function sendAll(
  urls: readonly string[],
  { connections, from, count, ...load }: Omit<WrkAllSettings, 'url'>,
): Promise<number> {
  const share = (i: number) => Math.floor((count * i) / urls.length);
  const sent = urls.map((url, i) =>
    wrkAll({
      ...load,
      url,
      connections: Math.ceil(connections / urls.length),
      from: from + share(i),
      count: share(i + 1) - share(i),
    }),
  );
  return Math.max(...(await Promise.all(sent)));
}
