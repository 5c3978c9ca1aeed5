import { performance } from 'node:perf_hooks';

/** A turn reports on its requests. A receiver that does not answer them is slow. */
export interface Waiting {
  /** Requests are under way, and one was answered or begun just now. */
  begin(): void;
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

export interface TurnSlotsSettings {
  readonly maxQuick: number;
  /** With so many slow turns, further ones keep their places among the quick. */
  readonly maxSlow: number;
  /** A turn is slow after this time without an answer to its requests. Milliseconds. */
  readonly slowAfterMs: number;
  /** Called when a place becomes free. */
  readonly onFree: () => void;
}

export function createTurnSlots({ maxQuick, maxSlow, slowAfterMs, onFree }: TurnSlotsSettings): TurnSlots {
  const quick = new Map<Slot, number>();
  let slow = 0;
  const lookEveryMs = slowAfterMs / 2;
  let timer: NodeJS.Timeout | undefined;

  function moveSlow(): void {
    const since = performance.now() - slowAfterMs;
    const before = slow;
    for (const [slot, waits] of quick)
      if (waits < since && slow < maxSlow) {
        quick.delete(slot);
        slow += 1;
      }
    if (slow > before) onFree();
  }
  /** One timer for all turns: a timer for each request would cost more than the look at 256 turns. */
  function lookSoon(): void {
    if (timer !== undefined || quick.size === 0) return;
    const planned = performance.now() + lookEveryMs;
    timer = setTimeout(() => {
      timer = undefined;
      // After a pause of this process answers may wait to be read.
      if (performance.now() - planned < lookEveryMs) moveSlow();
      lookSoon();
    }, lookEveryMs).unref();
  }

  return {
    free: () => maxQuick - quick.size,
    quick: () => quick.size,
    slow: () => slow,
    enter({ isFailing }) {
      const wait = (since: number) => {
        if (quick.has(slot)) quick.set(slot, since);
      };
      const slot: Slot = {
        begin: () => wait(performance.now()),
        end: () => wait(Number.POSITIVE_INFINITY),
        leave() {
          if (!quick.delete(slot)) slow -= 1;
          onFree();
        },
      };
      if (isFailing && slow < maxSlow) slow += 1;
      else quick.set(slot, Number.POSITIVE_INFINITY);
      lookSoon();
      return slot;
    },
  };
}
