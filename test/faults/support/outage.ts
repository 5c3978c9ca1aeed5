import { until } from '../../support/until.ts';
import type { Load, Try } from './load.ts';
import { watchMachine } from './machine-lag.ts';

/** Promised to senders, after whatever was away is back. Milliseconds. */
export const ACCEPTED_AGAIN_WITHIN = 2000;

/** How senders fared while something was away, and right after. Times in milliseconds. */
export interface Outage {
  /** Tries that were sent and had ended while it lasted. */
  readonly during: readonly Try[];
  /** From the moment that it was back until a request sent after that had its 200. */
  readonly firstAcceptMs: number;
  /** How long a busy machine or its disk held up something else meanwhile, at worst: what was measured may be so much too long. */
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
  const machine = await watchMachine();
  let lagMs: number;
  let times: { readonly begun: number; readonly ending: number; readonly ended: number };
  try {
    await begin();
    const begun = performance.now();
    await load.sent(requests);
    const ending = performance.now();
    await end();
    times = { begun, ending, ended: performance.now() };
    await until(() => firstAccept(load.tries, times.ended) !== undefined, {
      what: 'requests are accepted again',
      withinMs: 90_000,
    });
  } finally {
    lagMs = await machine.stop();
  }
  const { begun, ending, ended } = times;
  return {
    during: load.tries.filter(({ sentAt, endedAt }) => sentAt > begun && endedAt < ending),
    firstAcceptMs: (firstAccept(load.tries, ended) as number) - ended,
    lagMs,
  };
}

/** The longest that anybody waited for an answer. Milliseconds. */
export function worstOf(tries: readonly Try[]): number {
  return tries.reduce((worst, { sentAt, endedAt }) => Math.max(worst, endedAt - sentAt), 0);
}

/** When the first request had its 200 of those sent since then; undefined: none has yet. */
export function firstAccept(tries: readonly Try[], since: number): number | undefined {
  const accepted = tries.filter(({ sentAt, answer }) => sentAt >= since && answer?.status === 200);
  return accepted.length === 0 ? undefined : Math.min(...accepted.map(({ endedAt }) => endedAt));
}
