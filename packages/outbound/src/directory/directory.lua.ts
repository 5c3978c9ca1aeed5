import { RUN_LUA } from '@sluice/redis/run.lua';
import { EVEN_WHEN_FULL, NOW_LUA, WHOLE_SLOT_LUA } from '../queue/clock.lua.ts';
import { KEY } from '../queue/keys.lua.ts';
import { FENCE_MS, LEASE_MS } from '../queue/limits.ts';

/**
 * The list of an account's subscriptions: a hash with `version` (a nonce) and `run` (run.lua.ts) while every subscription of the
 * account is published, `fence:<token>` of each change that is running (its expiry, ms), `fenced_until`, the last expiry, `changes`,
 * how often a change was published, and `leases_until`, when the last lease ends that was given before a publication (ms).
 */
export const FENCES_LUA = `
-- Removes the fences for which goes returns true, and returns how many. One that seems to last longer than any was set before the
-- clock was set back.
local function remove_fences(goes)
  local found, last, gone = redis.call('HGETALL', KEYS[1]), 0, 0
  for i = 1, #found, 2 do
    if string.sub(found[i], 1, 6) == 'fence:' then
      local ends = math.min(tonumber(found[i + 1]), now + ${FENCE_MS})
      if goes(found[i], ends) then
        redis.call('HDEL', KEYS[1], found[i])
        gone = gone + 1
      else
        redis.call('HSET', KEYS[1], found[i], ends)
        last = math.max(last, ends)
      end
    end
  end
  if last > 0 then redis.call('HSET', KEYS[1], 'fenced_until', last) else redis.call('HDEL', KEYS[1], 'fenced_until') end
  return gone
end

-- A change whose fence has expired may be stored without being published. So the account must be published again.
local function remove_expired()
  if remove_fences(function(_, ends) return ends <= now end) > 0 then redis.call('HDEL', KEYS[1], 'version') end
end
`;

/** KEYS[1] the account's subscriptions   ARGV[1] prefix  [2] account  [3] lifetime, ms  [4] token   returns {the run, the number of changes} */
export const FENCE = `${EVEN_WHEN_FULL}
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${NOW_LUA}${RUN_LUA}${FENCES_LUA}
redis.call('HSET', KEYS[1], 'fence:' .. ARGV[4], now + ARGV[3])
redis.call('ZADD', ${KEY.fenced}, now + ARGV[3], ARGV[2])
remove_expired()
return {run, tonumber(redis.call('HGET', KEYS[1], 'changes')) or 0}
`;

/**
 * KEYS[1] the account's subscriptions   returns {'version', nonce, ms until the last lease ends that was given before a publication},
 * {'fenced', ms} or {'absent'}
 */
export const VERSION = `${NOW_LUA}${RUN_LUA}${FENCES_LUA}
local f = redis.call('HMGET', KEYS[1], 'version', 'run', 'fenced_until', 'leases_until')
if f[3] and tonumber(f[3]) > now then
  if f[3] - now > ${FENCE_MS} then remove_expired() end
  return {'fenced', math.min(f[3] - now, ${FENCE_MS})}
end
if f[3] then
  remove_expired()
  return {'absent'}
end
if not f[1] or f[2] ~= run then return {'absent'} end
return {'version', f[1], math.max(0, math.min((tonumber(f[4]) or 0) - now, ${LEASE_MS}))}
`;

/** KEYS[1] the account's subscriptions   ARGV[1] a new nonce. Without a complete list nothing is to be renewed. */
export const RENEW_VERSION = `
if redis.call('HEXISTS', KEYS[1], 'version') == 1 then redis.call('HSET', KEYS[1], 'version', ARGV[1]) end
`;

/**
 * KEYS[1] any key of the shard   ARGV[1] prefix  [2] the most accounts  [3] when they are returned again, ms
 * Returns accounts whose last fence has ended without a publication. One that is in another shard by now is forgotten.
 */
export const UNPUBLISHED = `${EVEN_WHEN_FULL}
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${NOW_LUA}
local out = {}
for _, account in ipairs(redis.call('ZRANGEBYSCORE', ${KEY.fenced}, '-inf', now, 'LIMIT', 0, ARGV[2])) do
  if redis.call('EXISTS', ${KEY.subscriptions('account')}) == 0 then redis.call('ZREM', ${KEY.fenced}, account)
  else
    redis.call('ZADD', ${KEY.fenced}, now + ARGV[3], account)
    out[#out + 1] = account
  end
end
return out
`;
