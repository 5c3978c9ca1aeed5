import type { Turn, Turns } from '@sluice/outbound/queue/turn';
import type { Redis } from 'ioredis';
import { createGather, GATHER_MS, MANY_TURNS } from './gather.ts';
import { entriesOfTurn } from './memory.ts';
import { createTurnSlots, type SlowRequests, type Waiting } from './turn-slots.ts';

export interface TakeTurnsDeps {
  readonly turns: Pick<Turns, 'claim' | 'waitForWork'>;
  readonly shard: number;
  /** A connection of this loop only: it blocks. */
  readonly blocking: Redis;
  readonly runTurn: (turn: Turn, waiting: Waiting) => Promise<void>;
  /** Whether turns may be claimed now. */
  readonly mayClaim: () => boolean;
  /** Called with each error of claiming or of a turn, and with null when claiming works again. */
  readonly onChange: (error: unknown) => void;
  /** Those of all loops of the process. Default: those of this one. */
  readonly slowRequests?: SlowRequests;
  /** Turns at once, but for those that wait for slow receivers. */
  readonly maxTurns?: number;
}

export interface TakingTurns {
  /** Claims no further turn, and resolves once the running ones have ended. */
  stop(): Promise<void>;
  /** Turns that run now, but for those that wait for slow receivers. */
  readonly running: () => number;
  readonly slow: () => number;
  /** Whether the latest claim failed. */
  readonly isFailing: () => boolean;
}

const MAX_TURNS = 256;
/** A turn of a dead receiver lasts for its timeout of 15 s. A thousand of them must not hold up the living. */
const MAX_SLOW_REQUESTS = 2_048;
const SLOW_AFTER_MS = 1_000;
/**
 * With 256 turns under way and receivers that hang for the first time, each wave of 256 lasts about as long. Most receivers respond
 * sooner. One that does not only changes its place.
 */
const SLOW_WHEN_FULL_MS = 250;
const CLAIMED_AT_ONCE = 64;
const FIRST_ENTRIES = 16;
const WAIT_MS = 1000;
const AFTER_ERROR_MS = 500;
/** How often to look whether turns may be claimed again. Milliseconds. */
const LOOK_MS = 500;

/** Claims subscriptions of one shard with something due, and runs their turns side by side. */
export function takeTurns(deps: TakeTurnsDeps): TakingTurns {
  const { turns, shard, blocking, runTurn, mayClaim, onChange, maxTurns = MAX_TURNS } = deps;
  const running = new Set<Promise<void>>();
  const gather = createGather(GATHER_MS);
  let stopped = false;
  /** The stop no longer waits for a claim. */
  let isOver = false;
  let failing = false;
  let wake = () => {};
  const slots = createTurnSlots({
    ...{ maxQuick: maxTurns, maxSlowRequests: MAX_SLOW_REQUESTS, slowRequests: deps.slowRequests },
    ...{ slowAfterMs: SLOW_AFTER_MS, slowWhenFullMs: SLOW_WHEN_FULL_MS },
    onFree: () => wake(),
  });

  const start = (turn: Turn): void => {
    const slot = slots.enter({ isFailing: turn.state.firstFailureAt !== null });
    const run = runTurn(turn, slot)
      // A lost turn is claimed again by another dispatcher.
      .catch(onChange)
      .finally(() => {
        running.delete(run);
        slot.leave();
      });
    running.add(run);
  };

  /** Waits until `wake` is called, or for this time. */
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, ms).unref();
    });

  async function round(): Promise<void> {
    if (!mayClaim()) return rest(LOOK_MS);
    // Turns end together, and more subscriptions are due by then. So one script claims many.
    if (slots.quick() >= MANY_TURNS) await gather();
    if (stopped) return;
    const free = slots.free();
    if (free <= 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      return;
    }
    const limit = Math.min(free, CLAIMED_AT_ONCE);
    const perTurn = entriesOfTurn(FIRST_ENTRIES, running.size + limit);
    const claimed = await turns.claim({ shard, limit, perTurn });
    // The process is about to close its connections. Another dispatcher claims these turns once they are lost.
    if (isOver) return;
    for (const turn of claimed) start(turn);
    if (claimed.length === 0 && !stopped)
      await turns.waitForWork({ shard, timeoutMs: WAIT_MS, redis: blocking });
    if (failing) onChange(null);
    failing = false;
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      try {
        await round();
      } catch (error) {
        if (stopped) return;
        failing = true;
        onChange(error);
        await rest(AFTER_ERROR_MS);
      }
    }
  }
  const looping = loop();

  return {
    running: slots.quick,
    slow: slots.slow,
    isFailing: () => failing,
    async stop() {
      stopped = true;
      wake();
      await Promise.race([looping, new Promise((resolve) => setTimeout(resolve, WAIT_MS).unref())]);
      isOver = true;
      await Promise.all(running);
    },
  };
}
