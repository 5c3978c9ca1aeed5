import { performance } from 'node:perf_hooks';
import { LEASE_MS } from '@sluice/outbound/queue/limits';
import type { Renewed, StopReason } from '@sluice/outbound/queue/turn';

/** The right of a turn to begin attempts. Guarantee 10: nothing leaves for whom it is not meant. */
export interface Lease {
  /** Attempts may begin before this instant of performance.now(). */
  until(): number;
  /** Asks Redis again if the lease has ended. False: nothing more may be sent in this turn. */
  hold(): Promise<boolean>;
  /** Asks Redis if the lease ends soon. Called while a connection opens, so that the lease does not end before it is open. */
  refresh(): void;
  /** Asks Redis in any case, so that the turn stays this dispatcher's. */
  keep(): Promise<void>;
  /** A script gave another lease. */
  extend(until: number): void;
  stopped(): StopReason | 'lost' | undefined;
}

/** Close to its end a lease is renewed, so that it does not end between two lines of code. Milliseconds. */
const MARGIN_MS = 50;
/**
 * Redis and timers count whole milliseconds, and clocks do not run equally fast. So a change may be confirmed this much before the
 * lease that it waits for seems to end. Milliseconds.
 */
const GRAIN_MS = 3;
/** A lease ends soon: in about half of its time. Milliseconds. */
const SOON_MS = LEASE_MS / 2;

export function createLease(first: number, renew: () => Promise<Renewed>): Lease {
  let until = first;
  let stopped: StopReason | 'lost' | undefined;
  let renewing: Promise<void> | undefined;

  /** Attempts of one turn that need a lease at the same time share a request. */
  const keep = (): Promise<void> => {
    renewing ??= renew()
      .then((renewed) => {
        if (renewed.status === 'leased') until = Math.max(until, renewed.leaseUntil);
        else stopped = renewed.status === 'lost' ? 'lost' : renewed.why;
      })
      // Without Redis no lease is given. The turn ends, and its messages are taken again.
      .catch(() => {
        stopped ??= 'lost';
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };
  const holds = () => stopped === undefined && performance.now() < until - MARGIN_MS;

  return {
    until: () => (stopped === undefined ? until - GRAIN_MS : 0),
    async hold() {
      if (!holds() && stopped === undefined) await keep();
      return holds();
    },
    refresh() {
      if (stopped === undefined && performance.now() > until - SOON_MS) void keep();
    },
    keep,
    extend(next) {
      until = Math.max(until, next);
    },
    stopped: () => stopped,
  };
}
