import { performance } from 'node:perf_hooks';

/** A turn reports on its requests. A receiver that does not answer them is slow. */
export interface Waiting {
  /** At most so many requests are under way, and one was answered or begun just now. */
  begin(requests: number): void;
  /** No request is under way. */
  end(): void;
}

export interface Slot extends Waiting {
  /** The turn is over. */
  leave(): void;
}

/** Places for turns. Those that wait for slow receivers have separate ones, so that dead receivers leave the others free. */
export interface TurnSlots {
  /** How many turns may be claimed now. */
  free(): number;
  readonly quick: () => number;
  readonly slow: () => number;
  /** A turn begins. `isFailing`: the last request to its receiver has failed. */
  enter(turn: { readonly isFailing: boolean }): Slot;
}

/** The requests of slow turns, of all shards of a process: each holds a connection. */
export interface SlowRequests {
  used: number;
}

export interface TurnSlotsSettings {
  readonly maxQuick: number;
  /**
   * The most requests of slow turns. Each holds a connection and a text in memory. Turns beyond it keep their places among the
   * quick.
   */
  readonly maxSlowRequests: number;
  /** Shared by the loops of a process, so that `maxSlowRequests` bounds them together. Default: its own. */
  readonly slowRequests?: SlowRequests | undefined;
  /** A turn is slow after this time without an answer to its requests. Milliseconds. */
  readonly slowAfterMs: number;
  /**
   * The same while all places are taken, so that others wait for one. It is shorter: many hung receivers would otherwise hold up the
   * others for `slowAfterMs`, again and again. Milliseconds.
   */
  readonly slowWhenFullMs: number;
  /** Called when a place becomes free. */
  readonly onFree: () => void;
}

export function createTurnSlots({
  maxQuick,
  maxSlowRequests,
  slowRequests = { used: 0 },
  slowAfterMs,
  slowWhenFullMs,
  onFree,
}: TurnSlotsSettings): TurnSlots {
  const quick = new Map<Slot, { readonly since: number; readonly requests: number }>();
  /** The requests of each slow turn. */
  const slow = new Map<Slot, number>();
  const lookEveryMs = slowWhenFullMs / 2;
  let timer: NodeJS.Timeout | undefined;

  function putSlow(slot: Slot, requests: number): void {
    slowRequests.used += requests - (slow.get(slot) ?? 0);
    slow.set(slot, requests);
  }
  const hasRoom = (requests: number) => slowRequests.used + requests <= maxSlowRequests;
  /** `lateMs`: how long the process was paused. Answers from then may wait to be read, so it does not count as a wait. */
  function moveSlow(lateMs: number): void {
    const before = performance.now() - lateMs - (quick.size < maxQuick ? slowAfterMs : slowWhenFullMs);
    const wasSlow = slow.size;
    for (const [slot, { since, requests }] of quick)
      if (since < before && hasRoom(requests)) {
        quick.delete(slot);
        putSlow(slot, requests);
      }
    if (slow.size > wasSlow) onFree();
  }
  /** One timer for all turns: a timer for each request would cost more than the look at 256 turns. */
  function lookSoon(): void {
    if (timer !== undefined || quick.size === 0) return;
    const planned = performance.now() + lookEveryMs;
    timer = setTimeout(() => {
      timer = undefined;
      moveSlow(Math.max(0, performance.now() - planned));
      lookSoon();
    }, lookEveryMs).unref();
  }

  return {
    free: () => maxQuick - quick.size,
    quick: () => quick.size,
    slow: () => slow.size,
    enter({ isFailing }) {
      const wait = (since: number, requests: number) => {
        if (quick.has(slot)) quick.set(slot, { since, requests });
        else putSlow(slot, requests);
      };
      const slot: Slot = {
        begin: (requests) => wait(performance.now(), requests),
        // A turn holds entries between its requests too.
        end: () => wait(Number.POSITIVE_INFINITY, 1),
        leave() {
          slowRequests.used -= slow.get(slot) ?? 0;
          if (!quick.delete(slot)) slow.delete(slot);
          onFree();
        },
      };
      // The first request to a receiver that has failed is mostly one alone.
      if (isFailing && hasRoom(1)) putSlow(slot, 1);
      else quick.set(slot, { since: Number.POSITIVE_INFINITY, requests: 1 });
      lookSoon();
      return slot;
    },
  };
}
