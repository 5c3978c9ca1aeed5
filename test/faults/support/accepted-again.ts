import { expect } from 'chai';
import { until } from '../../support/until.ts';
import type { OnBack, Return } from './kill.ts';
import type { Load, Try } from './load.ts';
import { atMostMs, watchMachine } from './machine-lag.ts';
import { ACCEPTED_AGAIN_WITHIN, firstAccept } from './outage.ts';

/** How soon senders got a 200 after each return of the killed part. Milliseconds. */
export interface AcceptedAgain {
  readonly kills: number;
  /** One value for each return that could be observed. */
  readonly afterMs: readonly number[];
  /**
   * The longest delay that the machine or its disk caused meanwhile. Each measured time may be too long by this much.
   */
  readonly lagMs: number;
}

/** Observes repeated kills. `kill` resolves with their number, and calls back each time the part works again. */
export async function acceptedAgain(
  load: Load,
  kill: (onBack: OnBack) => Promise<number>,
): Promise<AcceptedAgain> {
  const machine = await watchMachine();
  const returns: Return[] = [];
  let kills: number;
  let lagMs: number;
  try {
    kills = await kill((one) => void returns.push(one));
    const last = returns.at(-1)?.backAt ?? 0;
    await until(() => firstAccept(load.tries, last) !== undefined, {
      what: 'requests are accepted again',
    });
  } finally {
    lagMs = await machine.stop();
  }
  return { kills, afterMs: acceptedAfter(returns, load.tries), lagMs };
}

/**
 * The time from each return until a request sent after it got its 200. If the next kill came first, the return is not
 * counted, unless it had its two seconds.
 */
function acceptedAfter(returns: readonly Return[], tries: readonly Try[]): number[] {
  return returns.flatMap(({ backAt }, i) => {
    const acceptedMs = (firstAccept(tries, backAt) ?? Number.POSITIVE_INFINITY) - backAt;
    const killedAgainMs = (returns[i + 1]?.killedAt ?? Number.POSITIVE_INFINITY) - backAt;
    return acceptedMs < killedAgainMs || killedAgainMs > ACCEPTED_AGAIN_WITHIN
      ? [Math.min(acceptedMs, killedAgainMs)]
      : [];
  });
}

export function expectAcceptedAgain(again: AcceptedAgain): void {
  const { kills, afterMs, lagMs } = again;
  // Most returns must be observed. Otherwise the slow ones could be those that are missing.
  expect(afterMs.length, 'returns that were seen').to.be.at.least(Math.ceil(kills / 2));
  expect(middleOf(again)).to.be.below(ACCEPTED_AGAIN_WITHIN);
  expect(Math.max(...afterMs)).to.be.below(atMostMs(ACCEPTED_AGAIN_WITHIN, lagMs));
}

/** The same for the report. */
export function againInWords(again: AcceptedAgain): string {
  const { kills, afterMs, lagMs } = again;
  const [middle, most, late] = [middleOf(again), Math.max(...afterMs), lagMs].map(Math.round);
  return (
    `accepting again ${middle} ms after its return, ${most} ms at most ` +
    `(${afterMs.length} of ${kills} returns; the machine itself up to ${late} ms late)`
  );
}

function middleOf({ afterMs }: AcceptedAgain): number {
  return afterMs.toSorted((a, b) => a - b)[Math.floor(afterMs.length / 2)] as number;
}
