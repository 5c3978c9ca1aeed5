import { SECOND_US } from '@sluice/contract/time/durations';
import type { Keyspace } from '@sluice/redis/keyspace';
import { withScripts } from '@sluice/redis/with-scripts';
import type { Redis } from 'ioredis';

/** The number of requests in a period, and how many of them may come at once. */
export interface Rate {
  readonly count: number;
  readonly seconds: number;
  /** Default: `count`, so that a whole period's requests may come at once. */
  readonly burst?: number;
}

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Seconds until all are free again. */
  readonly resetSeconds: number;
  /** Whole seconds until one is free, if it was not allowed; else 0. */
  readonly retryAfterSeconds: number;
}

/** Counts one request towards a rate, across all replicas. Rejects if Redis does not respond. */
export type RateLimiter = (what: string, who: string, rate: Rate) => Promise<Taken>;

/** Counts several requests in their order, in one call of Redis. */
export type ManyLimiter = (
  what: string,
  who: string,
  rate: Rate,
  requests: number,
) => Promise<readonly Taken[]>;

// GCRA by Redis's clock, as in admit.lua.ts. If the time jumps back, tat is cut to one whole period and stored.
// KEYS[1] theoretical arrival time (us)   ARGV[1] emission interval (us)  [2] burst  [3] requests, all at this time
// returns {number allowed, remaining after them, us until all are free, us until one more is free}
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, window, asked = tonumber(ARGV[1]), ARGV[1] * ARGV[2], tonumber(ARGV[3])
local stored = tonumber(redis.call('GET', KEYS[1]) or 0)
local tat = math.max(now, math.min(stored, now + window))
local allowed = math.min(asked, math.floor((now + window - tat) / interval))
if allowed > 0 or stored > tat then
  tat = tat + allowed * interval
  redis.call('SET', KEYS[1], string.format('%.0f', tat), 'PX', math.ceil((tat - now) / 1000))
end
return {allowed, math.floor((now + window - tat) / interval), math.ceil(tat - now), math.ceil(tat + interval - window - now)}
`;

/** The script returns this. */
type CountedTogether = readonly [allowed: number, remaining: number, resetUs: number, waitUs: number];

interface LimiterCommand {
  sluiceTake(key: string, interval: number, burst: number, requests: number): Promise<CountedTogether>;
}

interface LimiterDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
}

/** Creates a limiter that counts each request at once. */
export function createRateLimiter(deps: LimiterDeps): RateLimiter {
  const takeMany = createManyLimiter(deps);
  return async (what, who, rate) => (await takeMany(what, who, rate, 1))[0] as Taken;
}

/** Creates a limiter that counts several requests in one call. */
export function createManyLimiter({ redis, keyspace }: LimiterDeps): ManyLimiter {
  const command = withScripts<LimiterCommand>(redis, { sluiceTake: TAKE });
  return async (what, who, { count, seconds, burst = count }, requests) => {
    const interval = Math.round((seconds * SECOND_US) / count);
    const taken = await command.sluiceTake(keyspace.limit(what, who), interval, burst, requests);
    return Array.from({ length: requests }, (_, i) => takenBy(i, taken, interval));
  };
}

/** The result of one of several requests. Those before it count, those after it do not. */
function takenBy(
  index: number,
  [allowed, remaining, resetUs, waitUs]: CountedTogether,
  intervalUs: number,
): Taken {
  const after = Math.max(allowed - 1 - index, 0);
  return {
    allowed: index < allowed,
    remaining: remaining + after,
    resetSeconds: Math.ceil((resetUs - after * intervalUs) / SECOND_US),
    retryAfterSeconds: index < allowed ? 0 : Math.ceil(waitUs / SECOND_US),
  };
}
