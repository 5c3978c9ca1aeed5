import { RUN_LUA } from '@sluice/redis/run.lua';

const NOW_MS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * A record of an earlier run is never newer, whatever its version is, because MongoDB may have been restored too. So a record
 * that was read for another run is not stored.
 */
const STORE = `
local function store()
  local current = redis.call('HMGET', KEYS[1], 'version', 'run')
  if tonumber(ARGV[1]) < tonumber(current[1] or 0) and current[2] == run then return 0 end
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'active', ARGV[2], 'record', ARGV[3], 'run', run)
  return 1
end
`;

/** Keeps every fence except those for which `goes` returns true. `fenced_until` is the expiry of the last one. */
const KEEP_FENCES = `
local function keep_fences(goes)
  local found, last = redis.call('HGETALL', KEYS[1]), 0
  for i = 1, #found, 2 do
    local name, ends = found[i], tonumber(found[i + 1])
    if string.sub(name, 1, 6) == 'fence:' then
      if goes(name, ends) then redis.call('HDEL', KEYS[1], name) else last = math.max(last, ends) end
    end
  end
  if last > 0 then redis.call('HSET', KEYS[1], 'fenced_until', last)
  else redis.call('HDEL', KEYS[1], 'fenced_until') end
end
`;

/**
 * KEYS[1] source hash   ARGV[1] its lifetime in ms  [2] the name of the change   returns the run
 * Expired fences are removed: their changes have been stored by now or never will be, and this change reads MongoDB after that.
 */
export const FENCE = `${NOW_MS}${RUN_LUA}${KEEP_FENCES}
redis.call('HSET', KEYS[1], 'fence:' .. ARGV[2], now + ARGV[1])
keep_fences(function(name, ends) return ends <= now end)
return run
`;

/**
 * KEYS[1] source hash   ARGV[1] version  [2] active, 1 or 0  [3] record as JSON  [4] the run it was read for
 *                           [5] the name of the change   returns 1 if the record is current now
 * If Redis has begun another run since the fence, the record may be older than a record that was published meanwhile. Then
 * the fence stays as an expired one, so that MongoDB is asked.
 */
export const PUBLISH = `${RUN_LUA}${STORE}${KEEP_FENCES}
local mine, stored = 'fence:' .. ARGV[5], 0
if ARGV[4] == run then stored = store() else redis.call('HSET', KEYS[1], mine, 1) end
keep_fences(function(name) return name == mine and ARGV[4] == run end)
return stored
`;

/** KEYS[1] source hash   returns {run, the expired fence or ''}, or false during a change */
export const BEFORE_PUTTING_BACK = `${NOW_MS}${RUN_LUA}
local fence = redis.call('HGET', KEYS[1], 'fenced_until') or ''
if fence ~= '' and tonumber(fence) > now then return false end
return {run, fence}
`;

/**
 * KEYS[1] source hash   ARGV[1] version  [2] active, 1 or 0  [3] record as JSON  [4] and [5] the reply of
 *                           BEFORE_PUTTING_BACK, from before the read of MongoDB   returns 1 if the record is current now
 * The record was read from MongoDB a moment ago, perhaps before a change that is running now. So it must not be stored beside
 * a fence. It may remove only fences that had expired before the read of MongoDB.
 */
export const PUT_BACK = `${RUN_LUA}${STORE}${KEEP_FENCES}
local fence = redis.call('HGET', KEYS[1], 'fenced_until')
if ARGV[4] ~= run or fence and fence ~= ARGV[5] then return 0 end
keep_fences(function() return true end)
return store()
`;

/**
 * KEYS[1] source hash   returns {record or false, ms until the fence expires (0: expired) or -1 without a fence, now}
 * INFO costs more than all the rest. An id that anyone can make up does not cause it.
 */
export const READ = `
local found = redis.call('HMGET', KEYS[1], 'record', 'fenced_until', 'run')
if not found[1] and not found[2] then return {false, -1, 0} end
${NOW_MS}${RUN_LUA}
return {found[3] == run and found[1], found[2] and math.max(0, found[2] - now) or -1, now}
`;
