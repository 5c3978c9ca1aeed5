import { luaKeys } from '@sluice/redis/keyspace';

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
