const NOW_MS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * A Redis that was started again may have been given a backup, and a replica that took over may have missed the last
 * change: either would hold a secret that was rotated since. So each record says to which run of Redis it was
 * published, and counts only in that one; in any other MongoDB is asked. Where Redis does not name its run, every
 * record counts.
 */
const RUN = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
`;

/**
 * What an earlier run left is no newer than anything, whatever its version says: MongoDB may come from a backup too.
 * So nothing is stored that was read for another run.
 */
const STORE = `
local function store()
  local current = redis.call('HMGET', KEYS[1], 'version', 'run')
  if tonumber(ARGV[1]) < tonumber(current[1] or 0) and current[2] == run then return 0 end
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'active', ARGV[2], 'record', ARGV[3], 'run', run)
  return 1
end
`;

/**
 * Keeps every fence but those that `goes` names; `fenced_until` is when the last of them runs out. `fences` is the count
 * of those that were put up by the version before, which has one end for all of them: they are left to run out.
 */
const KEEP_FENCES = `
local function keep_fences(goes)
  local found, last = redis.call('HGETALL', KEYS[1]), 0
  for i = 1, #found, 2 do
    local name, ends = found[i], tonumber(found[i + 1])
    if name == 'fences' then ends = tonumber(redis.call('HGET', KEYS[1], 'fenced_until') or 0) end
    if name == 'fences' or string.sub(name, 1, 6) == 'fence:' then
      if goes(name, ends) then redis.call('HDEL', KEYS[1], name) else last = math.max(last, ends) end
    end
  end
  if last > 0 then redis.call('HSET', KEYS[1], 'fenced_until', last)
  else redis.call('HDEL', KEYS[1], 'fenced_until') end
end
`;

/**
 * KEYS[1] source hash   ARGV[1] how long in ms  [2] the change's own name   returns the run
 * What ran out before is forgotten: whoever put it up has stored the change by now, or never will, and this one reads
 * MongoDB after that.
 */
export const FENCE = `${NOW_MS}${RUN}${KEEP_FENCES}
redis.call('HSET', KEYS[1], 'fence:' .. ARGV[2], now + ARGV[1])
keep_fences(function(name, ends) return ends <= now end)
return run
`;

/**
 * KEYS[1] source hash   ARGV[1] version  [2] active, 1 or 0  [3] record as JSON  [4] the run it was read for
 *                           [5] the change's own name   returns 1 when the record is current now
 * Where Redis has begun another run since the fence, what was read may be older than what was published meanwhile: then
 * the fence is left as one that ran out, so that MongoDB is asked.
 */
export const PUBLISH = `${RUN}${STORE}${KEEP_FENCES}
local mine, stored = 'fence:' .. ARGV[5], 0
if ARGV[4] == run then stored = store() else redis.call('HSET', KEYS[1], mine, 1) end
keep_fences(function(name) return name == mine and ARGV[4] == run end)
return stored
`;

/** KEYS[1] source hash   returns {run, the fence that ran out or ''}, or false while a change is under way */
export const BEFORE_PUTTING_BACK = `${NOW_MS}${RUN}
local fence = redis.call('HGET', KEYS[1], 'fenced_until') or ''
if fence ~= '' and tonumber(fence) > now then return false end
return {run, fence}
`;

/**
 * KEYS[1] source hash   ARGV[1] version  [2] active, 1 or 0  [3] record as JSON  [4] and [5] as BEFORE_PUTTING_BACK said,
 *                           before MongoDB was asked   returns 1 when the record is current now
 * What is put back was read from MongoDB a moment ago: it may be from before a change that is under way, so it must
 * neither stand beside a fence nor lift one but those that had run out before MongoDB was asked.
 */
export const PUT_BACK = `${RUN}${STORE}${KEEP_FENCES}
local fence = redis.call('HGET', KEYS[1], 'fenced_until')
if ARGV[4] ~= run or fence and fence ~= ARGV[5] then return 0 end
keep_fences(function() return true end)
return store()
`;

/** KEYS[1] source hash   returns {record or false, ms until the fence runs out (0: passed) or -1 without a fence, now} */
export const READ = `${NOW_MS}${RUN}
local found = redis.call('HMGET', KEYS[1], 'record', 'fenced_until', 'run')
return {found[3] == run and found[1], found[2] and math.max(0, found[2] - now) or -1, now}
`;
