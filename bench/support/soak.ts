import { setTimeout as sleep } from 'node:timers/promises';
import { forgetOldRows, type Sample, sampleMemory } from './memory-samples.ts';
import { type SluicePipeline, startSluice } from './pipeline.ts';
import { runThrough, WARM_UP_SECONDS } from './run-through.ts';
import { type SendReport, startSender } from './sender.ts';
import { onStage } from './stage.ts';
import { waitApplied } from './wait-applied.ts';

/** A sustained rate and its measurements. */
export interface Soak {
  readonly samples: readonly Sample[];
  /** Requests a second. */
  readonly rate: number;
  /** The highest rate of evenly spaced requests that was sustained just before. Actions a second. */
  readonly most: number;
  /** The same with requests as fast as the responses, which makes large groups. */
  readonly mostAtOnce: number;
  readonly answered: number;
  /** Responses other than 200. It is 0 in every result, because the sender throws otherwise. */
  readonly errors: number;
  /** Latency of the responses, from when a request was due. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Time from the last response until nothing waited for a worker. */
  readonly backlogMs: number;
}

const CONNECTIONS = 64;
/** The calibration first sends as fast as possible, to find the highest rate. */
const CALIBRATION_ACTIONS = 10_000;
/** Then it sends evenly, at growing shares of that rate. */
const EVEN_SHARES = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
/** Duration of each; less in a short soak. */
const EVEN_SECONDS = 15;
/** A rate counts as sustained if nothing waits for a worker this long after the last response. */
const KEPT_UP_MS = 1_000;
const EVENTS = 20_000;
const SAMPLES = 120;
const SHORTEST_PAUSE_MS = 2_000;

/** With more waiting jobs the rate was too high, and the measurement shows a growing queue. */
const MOST_JOBS = 5_000;

/**
 * Sends at a steady rate and samples the memory of every process. Throws unless every response is 200 and every action is
 * applied. The rate is a share of the highest steady rate, because evenly spaced requests make small groups, which cost more.
 */
export function soak(seconds: number, share: number): Promise<Soak> {
  return onStage(async (keep) => {
    const pipeline = await startSluice(keep, { store: 'embedded' });
    const { urls, sources } = pipeline;
    // Start now, because deleting all rows of the calibration at once would block the store for seconds.
    await keep(forgetOldRows(pipeline));
    const calibration = {
      actions: CALIBRATION_ACTIONS,
      connections: CONNECTIONS,
      warmUpSeconds: Math.min(WARM_UP_SECONDS, seconds / 4),
    };
    const { actionsPerSecond: mostAtOnce } = await runThrough(keep, pipeline, calibration);
    const sender = await keep(startSender({ targets: sources, events: EVENTS }));
    const send: SendEvenly = async (rate, seconds) => {
      const report = await sender.send({ mode: 'open', urls, connections: CONNECTIONS, rate, seconds });
      return { ...report, endedAt: performance.now() };
    };
    const most = await mostEvenly(pipeline, send, {
      mostAtOnce,
      seconds: Math.min(EVEN_SECONDS, seconds / 4),
    });
    const before = await pipeline.applied();
    const rate = most * share;
    const sending = send(rate, seconds);
    const samples = await sampleWhile(
      pipeline,
      sending,
      Math.max(SHORTEST_PAUSE_MS, (seconds * 1000) / SAMPLES),
    );
    const { answered, p50Ms, p99Ms, wrong, endedAt } = await sending;
    const backlogMs = Math.max(0, (await waitApplied(before + answered, pipeline)) - endedAt);
    const errors = Object.values(wrong).reduce((sum, times) => sum + times, 0);
    return { samples, rate, most, mostAtOnce, answered, errors, p50Ms, p99Ms, backlogMs };
  });
}

/** Sends at a rate for a duration. Also returns the time of the last response. */
type SendEvenly = (rate: number, seconds: number) => Promise<SendReport & { readonly endedAt: number }>;

/** The highest of growing steady rates that the workers sustain, each sent for `seconds`. */
async function mostEvenly(
  pipeline: SluicePipeline,
  send: SendEvenly,
  { mostAtOnce, seconds }: { readonly mostAtOnce: number; readonly seconds: number },
): Promise<number> {
  let most = 0;
  for (const share of EVEN_SHARES) {
    const rate = mostAtOnce * share;
    const before = await pipeline.applied();
    const { answered, endedAt } = await send(rate, seconds);
    if ((await waitApplied(before + answered, pipeline)) - endedAt > KEPT_UP_MS) break;
    most = rate;
  }
  if (most === 0) throw new Error(`not even ${EVEN_SHARES[0]} of what goes at once is kept up evenly`);
  return most;
}

async function sampleWhile(
  pipeline: SluicePipeline,
  sending: Promise<SendReport>,
  pauseMs: number,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const since = performance.now();
  let over = false;
  const ended = sending.finally(() => {
    over = true;
  });
  ended.catch(() => {});
  while (!over) {
    await Promise.race([ended, sleep(pauseMs)]);
    samples.push(await sampleMemory(pipeline, (performance.now() - since) / 1000));
    const waiting = await pipeline.waiting();
    if (waiting > MOST_JOBS) throw new Error(`${waiting} groups wait: the rate cannot be kept up`);
  }
  return samples;
}
