import type { Keyspace } from '@sluice/shards/keyspace';
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

// GCRA by Redis's clock, as in admit.lua.ts. If the time jumps back, tat is cut to one whole period and stored.
// KEYS[1] theoretical arrival time (us)   ARGV[1] emission interval (us)  [2] burst
// returns {1 allowed or 0, remaining, us until all are free, us until one is free}
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, window = tonumber(ARGV[1]), ARGV[1] * ARGV[2]
local stored = tonumber(redis.call('GET', KEYS[1]) or 0)
local tat = math.max(now, math.min(stored, now + window))
local wait = tat + interval - window - now
local function keep() redis.call('SET', KEYS[1], string.format('%.0f', tat), 'PX', math.ceil((tat - now) / 1000)) end
if wait > 0 then
  if stored > tat then keep() end
  return {0, 0, math.ceil(tat - now), math.ceil(wait)}
end
tat = tat + interval
keep()
return {1, math.floor((now + window - tat) / interval), math.ceil(tat - now), 0}
`;

const SECOND_US = 1_000_000;

interface LimiterCommand {
  sluiceTake(key: string, interval: number, burst: number): Promise<[0 | 1, number, number, number]>;
}

export function createRateLimiter({ redis, keyspace }: { redis: Redis; keyspace: Keyspace }): RateLimiter {
  redis.defineCommand('sluiceTake', { numberOfKeys: 1, lua: TAKE });
  const command = redis as unknown as LimiterCommand;
  return async (what, who, { count, seconds, burst = count }) => {
    const interval = Math.round((seconds * SECOND_US) / count);
    const [allowed, remaining, resetUs, waitUs] = await command.sluiceTake(
      keyspace.limit(what, who),
      interval,
      burst,
    );
    return {
      allowed: allowed === 1,
      remaining,
      resetSeconds: Math.ceil(resetUs / SECOND_US),
      retryAfterSeconds: Math.ceil(waitUs / SECOND_US),
    };
  };
}
