import { monitorEventLoopDelay } from 'node:perf_hooks';
import { until } from '../../support/until.ts';
import type { Load, Try } from './load.ts';

/** How senders fared while something was away, and right after. Times in milliseconds. */
export interface Outage {
  /** Tries that were sent and had ended while it lasted. */
  readonly during: readonly Try[];
  /** The longest that anybody waited for an answer, in the whole load so far. */
  readonly worstMs: number;
  /** From the moment that it was back until a request sent after that had its 200. */
  readonly firstAcceptMs: number;
  /** How long this process itself was held up by a busy machine, at worst: what it measured may be so much too long. */
  readonly lagMs: number;
}

export interface OutageSettings {
  readonly load: Load;
  /** Its length, in requests of the load. */
  readonly requests: number;
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

/** Takes something away from the service under load for a while. */
export async function outage({ load, requests, begin, end }: OutageSettings): Promise<Outage> {
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  await begin();
  const begun = performance.now();
  await load.sent(requests);
  const ending = performance.now();
  await end();
  const ended = performance.now();
  await until(() => firstAccept(load.tries, ended) !== undefined, {
    what: 'requests are accepted again',
    withinMs: 90_000,
  });
  lag.disable();
  return {
    during: load.tries.filter(({ sentAt, endedAt }) => sentAt > begun && endedAt < ending),
    worstMs: worstOf(load.tries),
    firstAcceptMs: (firstAccept(load.tries, ended) as number) - ended,
    lagMs: lag.max / 1e6,
  };
}

export function worstOf(tries: readonly Try[]): number {
  return tries.reduce((worst, { sentAt, endedAt }) => Math.max(worst, endedAt - sentAt), 0);
}

function firstAccept(tries: readonly Try[], since: number): number | undefined {
  const accepted = tries.filter(({ sentAt, answer }) => sentAt >= since && answer?.status === 200);
  return accepted.length === 0 ? undefined : Math.min(...accepted.map(({ endedAt }) => endedAt));
}
