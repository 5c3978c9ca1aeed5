import { type CpuOfParts, cpuOf, cpuPerAction } from './cpu.ts';
import { expectRows, type Pipeline } from './pipeline.ts';
import { startSender } from './sender.ts';
import type { Keep } from './stage.ts';
import { waitApplied } from './wait-applied.ts';

export interface RunThrough {
  readonly actions: number;
  /** From the first request until the last action is applied and logged. */
  readonly seconds: number;
  readonly actionsPerSecond: number;
  /** Until the last answer. */
  readonly sendSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUs: CpuOfParts;
}

export interface RunThroughSettings {
  readonly actions: number;
  readonly connections: number;
}

/** Each event is written to about so often: once created, then updated. */
const ACTIONS_AN_EVENT = 4;
const WARM_UP_SHARE = 0.2;

/** Sends an exact number of requests as fast as they are answered, and waits until all of them are applied. */
export async function runThrough(
  keep: Keep,
  pipeline: Pipeline,
  { actions, connections }: RunThroughSettings,
): Promise<RunThrough> {
  const { urls, sources, store } = pipeline;
  const events = Math.ceil(actions / ACTIONS_AN_EVENT);
  const sender = await keep(startSender({ targets: sources, events }));
  const warmUp = Math.ceil(actions * WARM_UP_SHARE);
  await sender.prepare(warmUp + actions);
  await sender.send({ mode: 'closed', urls, connections, count: warmUp });
  await waitApplied(warmUp, pipeline);
  const before = await cpuOf(pipeline);
  const since = performance.now();
  const sent = await sender.send({ mode: 'closed', urls, connections, count: actions });
  const seconds = ((await waitApplied(warmUp + actions, pipeline)) - since) / 1000;
  const after = await cpuOf(pipeline);
  await expectRows(store.db, warmUp + actions);
  return {
    actions,
    seconds,
    actionsPerSecond: actions / seconds,
    sendSeconds: sent.seconds,
    p50Ms: sent.p50Ms,
    p99Ms: sent.p99Ms,
    cpuUs: cpuPerAction(before, after, actions),
  };
}
