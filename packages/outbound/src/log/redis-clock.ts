import { performance } from 'node:perf_hooks';

/**
 * The clock of Redis. Dispatchers store by it when messages are due again, because their own clocks may differ and jump: another one would
 * wait for as long as a clock is ahead.
 */
export interface RedisClock {
  /** Milliseconds since the Unix epoch. It is the clock of this process until Redis has named its time. */
  now(): number;
  /** Notes the time of Redis. `sent`: when Redis was asked, by performance.now(). */
  note(redisMs: number, sent: number): void;
}

/** After a slower reply, as of a process that was frozen, nobody knows when Redis had that time. Milliseconds. */
const SLOWEST_REPLY_MS = 1_000;

export function createRedisClock(): RedisClock {
  let aheadMs = Date.now() - performance.now();
  return {
    now: () => Math.round(performance.now() + aheadMs),
    note(redisMs, sent) {
      const received = performance.now();
      if (received - sent < SLOWEST_REPLY_MS) aheadMs = redisMs - (sent + received) / 2;
    },
  };
}
