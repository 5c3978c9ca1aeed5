import { RUN_LUA } from '@sluice/redis/run.lua';
import { LOG_LUA } from '../log/account-log.lua.ts';
import { EVEN_WHEN_FULL, NOW_LUA, WHOLE_SLOT_LUA } from '../queue/clock.lua.ts';
import { KEY } from '../queue/keys.lua.ts';
import { LEASE_MS } from '../queue/limits.ts';
import { FENCES_LUA } from './directory.lua.ts';

/**
 * KEYS[1] the account's subscriptions   ARGV[1] prefix  [2] account  [3] the fence's token  [4] its run  [5] a new nonce
 *   [6] the number of changes when the fence was set  [7] 1 if these are all subscriptions of the account, or 0
 *   [8] the highest number in the log  [9] how many are removed, then their ids, then of each that is put: id, version, record, why it is
 *   stopped or '', its end (ms) or ''
 * Returns the ms until the last lease ends that was given before, or -1 if these are all and must be read again. A record of an earlier run
 * is never newer, and one that was read for another run is not stored beside it (as in admission).
 */
export const PUBLISH = `${EVEN_WHEN_FULL}
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${NOW_LUA}${RUN_LUA}${LOG_LUA}${FENCES_LUA}
local mine, same_run, whole = 'fence:' .. ARGV[3], ARGV[4] == run, ARGV[7] == '1'
local had_fence = remove_fences(function(name) return name == mine end) == 1
if not whole then call('HINCRBY', KEYS[1], 'changes', 1)
-- A change was published after all were read, so they may be older.
elseif ARGV[6] ~= (call('HGET', KEYS[1], 'changes') or '0') then return -1 end
local ids, idle, lease_until = ${KEY.subscriptionIds('ARGV[2]')}, ${KEY.idleCursors('ARGV[2]')}, 0

-- Returns the run and the version as published before, and whether a turn runs.
local function published(hash)
  local f = call('HMGET', hash, 'run', 'version', 'lease_until', 'turning')
  if not f[1] then return nil end
  local ends, turning = tonumber(f[3] or 0), f[4] == '1'
  -- Redis may have lost a claim of an earlier run. If the lease of a turn seems to be over, the clock may have been set forward during it.
  if f[1] ~= run or turning and ends < now then ends = now + ${LEASE_MS} end
  lease_until = math.max(lease_until, ends)
  return f[1], tonumber(f[2]), turning
end

local function remove(id)
  local hash = ${KEY.mailbox('id')}
  published(hash)
  call('DEL', hash)
  call('ZREM', ${KEY.cursors}, id)
  call('SREM', idle, id)
  call('SREM', ids, id)
end

local function put(id, version, record, stops, ends)
  local hash = ${KEY.mailbox('id')}
  -- The lease counts also if this record is not stored: a newer one may have been published a moment ago.
  local of_run, of_version, turning = published(hash)
  if of_run == run then
    if tonumber(version) < of_version then return end
  elseif not same_run then return
  elseif of_run then
    -- Redis may have lost how later turns ended, so the next one looks in MongoDB as after a turn that has died.
    call('HSET', hash, 'lease_until', text_of(now + ${LEASE_MS}))
    call('HDEL', hash, 'turning')
    turning = false
  end
  call('HSET', hash, 'account', ARGV[2], 'version', version, 'run', run, 'record', record, 'stops', stops, 'ends', ends)
  call('SADD', ids, id)
  -- A turn that runs ends soon, because it has another version.
  if stops == '' and not turning then call('ZADD', ${KEY.cursors}, now, id) end
end

local at, kept = 10 + ARGV[9], {}
for n = 10, at - 1 do remove(ARGV[n]) end
for n = at, #ARGV, 5 do
  put(ARGV[n], ARGV[n + 1], ARGV[n + 2], ARGV[n + 3], ARGV[n + 4])
  kept[ARGV[n]] = true
end
local list = call('HMGET', KEYS[1], 'version', 'run')
local complete = whole or list[1] and list[2] == run
if had_fence and same_run and complete then
  if whole then
    for _, id in ipairs(call('SMEMBERS', ids)) do if not kept[id] then remove(id) end end
    begin_log(ARGV[2], ARGV[8])
  end
  call('HSET', KEYS[1], 'version', ARGV[5], 'run', run)
else
  complete = false
  call('HDEL', KEYS[1], 'version')
end
if call('HEXISTS', KEYS[1], 'fenced_until') == 0 then call('ZREM', ${KEY.fenced}, ARGV[2]) end
-- A lease that seems to last longer was given before the clock was set back.
local ends_in = math.max(0, math.min(lease_until - now, ${LEASE_MS}))
-- If the reply is lost, the change is repeated, finds nothing to change, and must wait as well.
if ends_in > 0 then
  local before = math.min(tonumber(call('HGET', KEYS[1], 'leases_until')) or 0, now + ${LEASE_MS})
  call('HSET', KEYS[1], 'leases_until', math.max(before, now + ends_in))
end
return whole and not complete and -1 or ends_in
`;
