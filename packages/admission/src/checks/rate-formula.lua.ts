import { luaKeys } from '@sluice/redis/keyspace';

/**
 * The rate limit of a source as expressions of Lua: GCRA (the generic cell rate algorithm) by Redis's clock. It stores one
 * number for a source, `tat`: the theoretical arrival time of the next request, in microseconds. A request costs `interval`,
 * and `window` is the cost of a whole burst. They are expressions and no functions, as a call for each request costs time.
 */
export const RATE_LIMIT = {
  /** `tat` as stored, but not in the past, and at most one whole burst ahead. */
  cut: (stored: string) => `max(now, min(${stored}, now + window))`,
  /** Microseconds until a request of this cost is allowed. 0 or less: it is allowed now. */
  wait: (cost: string) => `tat + ${cost} - window - now`,
  /** How many requests are allowed now. */
  remaining: (interval: string) => `floor((now + window - tat) / ${interval})`,
  /** Microseconds until the whole burst is free again. */
  reset: 'ceil(tat - now)',
} as const;

const KEY = luaKeys('prefix');

/** Lua: `over_plan(account, limit)`. The script counts accepted upserts of the group in `accepted`. ARGV[4] is the month. */
export const PLAN_LIMIT_LUA = `
-- The plan's use, by account.
local used, accepted = {}, {}
local function plan_key(account) return ${KEY.planUse('account', 'ARGV[4]')} end
local function over_plan(account, limit)
  if limit < 0 then return false end
  used[account] = used[account] or tonumber(redis.call('GET', plan_key(account)) or 0)
  return used[account] + (accepted[account] or 0) >= limit
end
`;

/** Lua: adds the accepted upserts to the use of their accounts. */
export const COUNT_PLAN_USE_LUA = `
for account, upserts in pairs(accepted) do
  if redis.call('INCRBY', plan_key(account), upserts) == upserts then
    redis.call('EXPIRE', plan_key(account), 40 * 24 * 3600)
  end
end
`;
