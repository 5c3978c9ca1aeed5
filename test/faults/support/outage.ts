import { until } from '../../support/until.ts';
import type { Load, Try } from './load.ts';
import { watchMachine } from './machine-lag.ts';

/** The promise to senders: milliseconds until accepting after the missing part is back. */
export const ACCEPTED_AGAIN_WITHIN = 2000;

/** How senders fared during an outage and right after. Times in milliseconds. */
export interface Outage {
  /** Tries that were sent and had ended during the outage. */
  readonly during: readonly Try[];
  /** From the end of the outage until a request sent after it got its 200. */
  readonly firstAcceptMs: number;
  /**
   * The longest delay that a busy machine or its disk caused meanwhile. The measured times may be too long by this
   * much.
   */
  readonly lagMs: number;
}

export interface OutageSettings {
  readonly load: Load;
  /** The length of the outage, in requests of the load. */
  readonly requests: number;
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

/** Makes a part unavailable for a while, under load. */
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

/** The longest response time, in milliseconds. */
export function worstOf(tries: readonly Try[]): number {
  return tries.reduce((worst, { sentAt, endedAt }) => Math.max(worst, endedAt - sentAt), 0);
}

/** When the first request sent after `since` got its 200; undefined if none has yet. */
export function firstAccept(tries: readonly Try[], since: number): number | undefined {
  const accepted = tries.filter(({ sentAt, answer }) => sentAt >= since && answer?.status === 200);
  return accepted.length === 0 ? undefined : Math.min(...accepted.map(({ endedAt }) => endedAt));
}
