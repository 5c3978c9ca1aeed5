import { RUN_LUA } from '@sluice/redis/run.lua';
import { EVEN_WHEN_FULL, NOW_LUA, WHOLE_SLOT_LUA } from '../queue/clock.lua.ts';
import { KEY } from '../queue/keys.lua.ts';
import { LONGEST_WAIT_MS } from '../queue/limits.ts';
import { LOG_LUA } from './account-log.lua.ts';

/** Defines `now`, `run`, and what scripts read of a subscription and of the log of its account. */
export const CURSOR_LUA = `${EVEN_WHEN_FULL}
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${NOW_LUA}${RUN_LUA}${LOG_LUA}
-- What a turn knows of the log of its account, read once a script: {last number that may be read, confirms, ms until an open batch ends or -1,
-- batches that are passed over}.
local logs = {}
local function log_of(account)
  local known = logs[account]
  if known then return known end
  local f = call('HMGET', ${KEY.accountLog('account')}, 'last', 'confirms')
  local open, ends = lowest_open(account)
  -- What was inserted with numbers of a batch that was not confirmed in time is published again with others.
  local skipped = call('ZRANGE', ${KEY.givenUpBatches('account')}, 0, -1)
  for _, batch in ipairs(call('ZRANGEBYSCORE', ${KEY.openBatches('account')}, '-inf', now)) do skipped[#skipped + 1] = batch end
  known = {open and text_of(open - 1) or f[1] or '0', f[2] or '0', ends and ends - now or -1, skipped}
  logs[account] = known
  return known
end
-- Why nothing may be delivered, or nil. f: run, stops, ends.
local function stop_of(f)
  if f[1] ~= run then return 'unpublished' end
  if f[2] ~= '' then return f[2] end
  if f[3] ~= '' and tonumber(f[3]) <= now then return 'ended' end
  return nil
end
-- A lease ends at the end of the key too. It is noted, so that a change of the subscription can wait for it.
local function lease(id, ends, lease_ms)
  lease_ms = tonumber(lease_ms)
  if ends ~= '' then lease_ms = math.max(0, math.min(lease_ms, tonumber(ends) - now)) end
  call('HSET', ${KEY.mailbox('id')}, 'lease_until', text_of(now + lease_ms))
  return lease_ms
end
`;

/**
 * MongoDB has something new for a turn of a subscription: the number of times that a process has said so is \`asked\`, and \`answered\` is the one up
 * to which turns have looked. A turn ends soon if more is asked meanwhile.
 *
 * KEYS[1] cursors   ARGV[1] prefix  [2] subscription   Returns '', or why nothing is delivered now: the next turn that may deliver looks.
 */
export const ASK_CURSOR = `${CURSOR_LUA}
local id = ARGV[2]
local hash = ${KEY.mailbox('id')}
local f = call('HMGET', hash, 'run', 'stops', 'ends', 'account', 'turning')
if not f[4] then return 'unpublished' end
call('HINCRBY', hash, 'asked', 1)
local stop = stop_of(f)
if stop then return stop end
-- A turn that runs is asked when it renews its lease or is settled.
if f[5] ~= '1' then call('ZADD', KEYS[1], now, id) end
wake()
return ''
`;

/**
 * KEYS[1] cursors   ARGV[1] prefix  [2] lifetime of a turn, ms  [3] of a lease, ms  [4] the most turns
 * Returns {accounts to publish again, turns, time}: of each {subscription, account, version, number of the turn, ms of its lease, number of the turn before
 * if it was settled, last number, confirms, cursor, 1 if nothing has failed, batches that are passed over, what was asked, what was answered};
 * and the time of Redis, ms since the Unix epoch.
 */
export const CLAIM_CURSORS = `${CURSOR_LUA}
local unpublished, turns = {}, {}
for n, id in ipairs(call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[4])) do
  local hash = ${KEY.mailbox('id')}
  local f = call('HMGET', hash, 'run', 'stops', 'ends', 'account', 'version', 'turn', 'turning', 'cursor', 'calm', 'asked', 'answered')
  local stop = f[4] and stop_of(f)
  if not f[4] then call('ZREM', KEYS[1], id)
  elseif stop == 'unpublished' then
    unpublished[#unpublished + 1] = f[4]
    call('ZADD', KEYS[1], now + 1000, id)
  elseif stop then
    call('ZREM', KEYS[1], id)
    -- A turn that has lapsed ends with the next publication. It was never settled.
    call('HDEL', hash, 'turning')
  else
    local account = f[4]
    local turn = text_of(math.max(tonumber(f[6] or 0) + 1, time[1] * 1000000 + time[2]))
    call('HSET', hash, 'turn', turn, 'turning', '1')
    call('ZADD', KEYS[1], now + ARGV[2], id)
    call('SREM', ${KEY.idleCursors('account')}, id)
    local log = log_of(account)
    turns[#turns + 1] = {id, account, f[5], turn, lease(id, f[3], ARGV[3]), f[7] == '0' and f[6] or '', log[1], log[2], f[8] or '', f[9] == '1' and 1 or 0, log[4], f[10] or '0', f[11] or '0'}
  end
end
return {unpublished, turns, now}
`;

/**
 * KEYS[1] cursors   ARGV[1] prefix  [2] lifetime of a turn, ms  [3] of a lease, ms, then of each turn: subscription, number of the turn, version,
 *   confirms that it knows, the last number that it might read, 1 if it goes on when there is more, 1 if new changes do not make it due, ms until it
 *   is due again or -1, cursor, 1 if nothing has failed, what it knows of what was asked, what is answered, 1 if its receiver has accepted nothing
 *   since a failure
 * Returns of each {'lost'}, {'ended'} or, if more can be read and it wants more, {'go_on', ms of the lease, last number, confirms,
 * batches that are passed over}.
 */
export const SETTLE_CURSORS = `${CURSOR_LUA}
local replies, wakes = {}, false
for at = 4, #ARGV, 13 do
  local id, turn, version, confirms, last, wants = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], tonumber(ARGV[at + 4]), ARGV[at + 5] == '1'
  local held, due = ARGV[at + 6] == '1', tonumber(ARGV[at + 7])
  local hash = ${KEY.mailbox('id')}
  local f = call('HMGET', hash, 'run', 'stops', 'ends', 'account', 'version', 'turn', 'asked')
  if not f[4] or f[6] ~= turn then replies[#replies + 1] = {'lost'}
  else
    local account = f[4]
    local log, is_asked = log_of(account), (f[7] or '0') ~= ARGV[at + 10]
    -- A batch that was open when the turn began may have been given up since. What was confirmed above it can be read now.
    local is_more = log[2] ~= confirms or log[3] < 0 and tonumber(log[1]) > last
    local may = not stop_of(f) and f[5] == version and not is_asked
    if wants and may and is_more then
      call('ZADD', KEYS[1], now + ARGV[2], id)
      replies[#replies + 1] = {'go_on', lease(id, f[3], ARGV[3]), log[1], log[2], log[4]}
    else
      call('HSET', hash, 'turning', '0', 'cursor', ARGV[at + 8], 'calm', ARGV[at + 9], 'answered', ARGV[at + 11], 'failing', ARGV[at + 12])
      if not may or not held and is_more then due = 0
      elseif not held and log[3] >= 0 then due = due >= 0 and math.min(due, log[3]) or log[3] end
      if due >= 0 then call('ZADD', KEYS[1], now + due, id) else call('ZREM', KEYS[1], id) end
      wakes = wakes or due >= 0 and due < ${LONGEST_WAIT_MS}
      if due ~= 0 and not held then call('SADD', ${KEY.idleCursors('account')}, id) end
      replies[#replies + 1] = {'ended'}
    end
  end
end
if wakes then wake() end
return replies
`;

/**
 * KEYS[1] cursors   ARGV[1] prefix  [2] lifetime of a turn, ms  [3] of a lease, ms  [4] subscription  [5] number of the turn  [6] its version
 *   [7] what it knows of what was asked
 * Returns {'lost'}, {'stopped', why} or {'leased', ms of the lease}.
 */
export const RENEW_CURSOR = `${CURSOR_LUA}
local id = ARGV[4]
local f = call('HMGET', ${KEY.mailbox('id')}, 'run', 'stops', 'ends', 'account', 'version', 'turn', 'asked', 'turning')
-- A turn that was settled meanwhile has a due time of its own.
if not f[4] or f[6] ~= ARGV[5] or f[8] ~= '1' then return {'lost'} end
call('ZADD', KEYS[1], now + ARGV[2], id)
local stop = stop_of(f)
if not stop and (f[5] ~= ARGV[6] or (f[7] or '0') ~= ARGV[7]) then stop = 'changed' end
if stop then return {'stopped', stop} end
return {'leased', lease(id, f[3], ARGV[3])}
`;

/** KEYS[1] cursors   returns {how many subscriptions are due and wait for a dispatcher, for how long the first of them has waited, ms} */
export const COUNT_DUE = `
${NOW_LUA}
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {redis.call('ZCOUNT', KEYS[1], '-inf', now), first[1] and math.max(0, now - first[2]) or 0}
`;

/** KEYS[1] cursors   returns the ms until the next one is due, or -1 without one */
export const NEXT_DUE = `
${NOW_LUA}
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if not first[1] then return -1 end
return math.max(0, first[2] - now)
`;
