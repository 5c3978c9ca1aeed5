import type { ManyLimiter, Rate, RateLimiter, Taken } from '@sluice/admission/rate-limiter';
import { createBatcher } from '@sluice/runtime/timing/batcher';
import { runByGroup } from './run-by-group.ts';

/** Limit of one batch: more than an API server works on at once. */
const MOST = 200;

interface Asked {
  readonly what: string;
  readonly who: string;
  readonly rate: Rate;
}

/** A rate limiter that counts the concurrent requests of one key in one call of Redis, each for itself. */
export function batchedLimiter(takeMany: ManyLimiter): RateLimiter {
  const { submit } = createBatcher<Asked, Taken>({
    run: (asked) =>
      runByGroup(asked, limitOf, (own) => takeMany(own[0].what, own[0].who, own[0].rate, own.length)),
    maxItems: MOST,
    maxRunning: Number.POSITIVE_INFINITY,
  });
  return (what, who, rate) => submit({ what, who, rate });
}

function limitOf({ what, who, rate: { count, seconds, burst } }: Asked): string {
  return JSON.stringify([what, who, count, seconds, burst]);
}
