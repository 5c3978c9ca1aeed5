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
  /** From the first request until the last action is applied and logged. */
  readonly seconds: number;
  readonly actionsPerSecond: number;
  /** Until the last request was sent. */
  readonly sendSeconds: number;
  readonly cpuUs: CpuOfParts;
}

export interface RunThroughSettings {
  readonly actions: number;
  readonly connections: number;
}

/** Each event is written to about so often: once created, then updated. */
const ACTIONS_AN_EVENT = 4;

/**
 * As many again go before the clock starts, whatever the way to build it. With a fifth of them V8 was still compiling what
 * is hot while it was measured: a fifth of the worker's time, where an action costs little and so all are soon done.
 */
const WARM_UP_SHARE = 1;

/** Sends an exact number of requests as fast as they are answered, and waits until all of them are applied. */
export async function runThrough(
  keep: Keep,
  pipeline: Pipeline,
  { actions, connections }: RunThroughSettings,
): Promise<RunThrough> {
  const { urls, sources, store } = pipeline;
  const events = Math.ceil(actions / ACTIONS_AN_EVENT);
  const requests = join((await keep(temporaryFolder())).path, 'requests');
  const warmUp = Math.ceil(actions * WARM_UP_SHARE);
  // Signed before the clock starts.
  await presign({ file: requests, count: warmUp + actions, targets: sources, events });
  const send = (from: number, count: number) => sendAll(urls, { requests, connections, from, count });
  await send(0, warmUp);
  await waitApplied(warmUp, pipeline);
  const before = await cpuOf(pipeline);
  const since = performance.now();
  const sentAt = await send(warmUp, actions);
  const seconds = ((await waitApplied(warmUp + actions, pipeline)) - since) / 1000;
  const after = await cpuOf(pipeline);
  await expectRows(store.db, warmUp + actions);
  return {
    actions,
    seconds,
    actionsPerSecond: actions / seconds,
    sendSeconds: (sentAt - since) / 1000,
    cpuUs: cpuPerAction(before, after, actions),
  };
}

/** Divides requests and connections evenly over the ingresses; resolves to when the last was sent. */
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
