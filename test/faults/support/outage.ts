import { expect } from 'chai';
import type { Try } from '../../support/load.ts';
import { LONG } from '../../support/size.ts';
import { until } from '../../support/until.ts';
import type { Load } from './load.ts';

/** How senders fared during an outage and right after. Times in milliseconds. */
export interface Outage {
  /** Tries that were sent and had ended during the outage. */
  readonly during: readonly Try[];
  /** From the end of the outage until a request sent after it got its 200. */
  readonly firstAcceptMs: number;
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
  await begin();
  const begun = performance.now();
  await load.sent(requests);
  const ending = performance.now();
  await end();
  return {
    during: load.tries.filter(({ sentAt, endedAt }) => sentAt > begun && endedAt < ending),
    firstAcceptMs: await acceptedAgain(load),
  };
}

/** Resolves once a request that is sent from now on got its 200, with the milliseconds until then. */
export async function acceptedAgain({ tries }: Load): Promise<number> {
  const since = performance.now();
  const isAccepted = ({ sentAt, answer }: Try) => sentAt >= since && answer?.status === 200;
  await until(() => tries.some(isAccepted), { what: 'requests are accepted again' });
  return Math.min(...tries.filter(isAccepted).map(({ endedAt }) => endedAt)) - since;
}

/** The longest response time, in milliseconds. */
export function worstOf(tries: readonly Try[]): number {
  return tries.reduce((worst, { sentAt, endedAt }) => Math.max(worst, endedAt - sentAt), 0);
}

/** The long form, which has the machine alone, measures the promised times. Beside other tests they prove nothing. */
export function expectPromised(ms: number, promisedMs: number): void {
  if (LONG) expect(ms).to.be.below(promisedMs);
}
