import { RUN_LUA } from '@sluice/redis/run.lua';
import { EVEN_WHEN_FULL, NOW_LUA } from './clock.lua.ts';
import { UNREADABLE_MS } from './limits.ts';
import { KEY, MAILBOX_LUA, MANY_TURNS_LUA } from './mailbox.lua.ts';
import { SET_BACK_LUA } from './set-back.lua.ts';
import { TAKE_LUA } from './take.lua.ts';

const START = `${EVEN_WHEN_FULL}
local prefix = ARGV[1]
${NOW_LUA}${RUN_LUA}${MAILBOX_LUA}${MANY_TURNS_LUA}
local function text_of_error(err) return type(err) == 'table' and err.err or tostring(err) end
`;

/** A lease ends at the end of the key too. It is noted, so that a change of the subscription can wait for it. Call store_turns after it. */
const LEASE_LUA = `
local function lease(m, token, turn_ms, lease_ms, ...)
  lease_ms = tonumber(lease_ms)
  if m.ends then lease_ms = math.max(0, math.min(lease_ms, m.ends - now)) end
  call('HSET', m.hash, 'token', token, 'lease_until', text_of(math.max(m.lease_until, now + lease_ms)), ...)
  due_at(m, now + turn_ms)
  return lease_ms
end
`;

/**
 * KEYS[1] turns   ARGV[1] prefix  [2] lifetime of a turn, ms  [3] of a lease, ms  [4] the most turns  [5] the most entries of
 *   each  [6] the start of their tokens
 * Returns {mailboxes looked at, accounts to publish again, turns, texts, unreadable}. A turn is {subscription's id, record, token, ms of
 * its lease, state, entries, ms that its mailbox still has to wait}. It has no entries if they must be read from MongoDB first: its first
 * settlement loads them. The texts are in the order of the entries.
 * Unreadable are the ids of mailboxes that cannot be read, each followed by its error. They do not keep the others from being claimed.
 * The cost depends on the turns that are due only. A turn that was lost is due when its lifetime ends.
 */
export const CLAIM = `${START}${TAKE_LUA}${LEASE_LUA}${SET_BACK_LUA}
notice_set_back(tonumber(ARGV[2]))
local turns, unpublished, keys, unreadable = {}, {}, {}, {}
local m
local function claim(n, id)
  m = nil
  m = open(id, 'record', 'state')
  if not m then return call('ZREM', KEYS[1], id) end
  if m.token then
    give_back_all(m)
    call('HDEL', m.hash, 'token')
  end
  local stop = stop_of(m)
  if stop == 'unpublished' then
    unpublished[#unpublished + 1] = m.account
    return call('ZADD', KEYS[1], now + 1000, id)
  end
  if stop then return call('ZREM', KEYS[1], id) end
  local entries = take(m, tonumber(ARGV[5]), keys)
  if #entries == 0 and not must_load(m, tonumber(ARGV[5])) then return schedule_later(m) end
  local token = ARGV[6] .. ':' .. n
  local ms = lease(m, token, ARGV[2], ARGV[3])
  turns[#turns + 1] = {id, m.record, token, ms, m.state, entries, math.max(0, m.not_before - now)}
end

local due = call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[4])
for n, id in ipairs(due) do
  local texts = #keys
  local ok, err = pcall(claim, n, id)
  if not ok then
    -- The texts of the others keep their places.
    for at = #keys, texts + 1, -1 do keys[at] = nil end
    if m then undo_take(m) end
    call('ZADD', KEYS[1], now + ${UNREADABLE_MS}, id)
    unreadable[#unreadable + 1] = id
    unreadable[#unreadable + 1] = text_of_error(err)
  end
end
store_turns()
return {#due, unpublished, turns, texts_of(keys), unreadable}
`;

/**
 * KEYS[1] a mailbox   ARGV[1] prefix  [2] lifetime of a turn, ms  [3] of a lease, ms, then of each turn how many arguments follow, and
 *   these, counted from 4: [4] subscription  [5] token  [6] its version  [7] the most entries to take  [8] state, JSON
 *   [9] probing, 1 or 0  [10] ms until notBefore, or `keeps`  [11] last probed or ''  [12] how many are done
 *   [13] how many of these are delivered redeliveries  [14] how many are given back, then the numbers of all three, then number and
 *   ms until due of the others
 * Returns of each {'lost'}, {'ended'}, {'go_on', ms of the lease, entries, texts}, {'load', ms of the lease, the range in MongoDB}: read
 * that first, or {'failed', why}. One mailbox that cannot be read does not keep the others from being settled.
 */
export const SETTLE = `${START}${TAKE_LUA}${LEASE_LUA}${SET_BACK_LUA}
notice_set_back(tonumber(ARGV[2]))
-- Whether the receiver has had a new start since the subscription's version of the turn (directory.lua.ts).
local function is_before_start(m, version)
  return m.version ~= version and tonumber(call('HGET', m.hash, 'fresh_from') or 0) > tonumber(version)
end

local function state_of(m, args)
  -- A receiver that is back gets at once what had failed while it was probed.
  if m.probing and args[9] == '0' then all_due(m) end
  -- Without a wait it is 0. An idle mailbox would wait for the present time if the clock is set back.
  if args[10] ~= 'keeps' then m.not_before = tonumber(args[10]) > 0 and now + args[10] or 0 end
  m.probing, m.last_probed = args[9] == '1', args[11]
  return {'state', args[8], 'probing', args[9], 'not_before', text_of(m.not_before), 'last_probed', args[11]}
end

local m
local function settle(args)
  m = nil
  m = open(args[4])
  if not m or m.token ~= args[5] then return {'lost'} end
  local is_old = is_before_start(m, args[6])
  local at, done, resent, back = 15, tonumber(args[12]), tonumber(args[13]), tonumber(args[14])

  if done > 0 then
    local numbers = {unpack(args, at, at + done - 1)}
    if m.ordered then
      for _, entry in ipairs(call('HMGET', m.taken, unpack(numbers))) do
        if entry then follow(m, entry) end
      end
    end
    for n = at + done, at + done + resent - 1 do
      local entry = call('HGET', m.taken, args[n])
      if entry then drop_waiting(m, message_of(entry), args[n]) end
    end
    call('HDEL', m.taken, unpack(numbers))
  end
  at = at + done + resent
  for n = at, at + back - 1 do
    local entry = call('HGET', m.taken, args[n])
    if entry then
      call('ZADD', m.retry, front_of(entry), entry)
      call('HDEL', m.taken, args[n])
    end
  end
  for n = at + back, #args, 2 do
    local entry = call('HGET', m.taken, args[n])
    if entry then
      local start, attempts, first, record = string.match(entry, '^([^|]*|[^|]*|[^|]*|[^|]*|[^|]*|[^|]*|)(%d+)|(%d*)|(.*)$')
      if first == '' then first = now end
      call('ZADD', m.retry, is_old and front_of(entry) or score_of(entry, now + args[n + 1]), start .. (attempts + 1) .. '|' .. string.format('%.0f', first) .. '|' .. record)
      call('HDEL', m.taken, args[n])
    end
  end

  local state = is_old and {} or state_of(m, args)
  local entries, texts = {}, {}
  local may_go_on = not stop_of(m) and m.version == args[6]
  if may_go_on then entries, texts = take(m, tonumber(args[7])) end
  if #entries == 0 and may_go_on and must_load(m, tonumber(args[7])) then
    return {'load', lease(m, m.token, args[2], args[3], unpack(state)), {m.from, m.to, era_of(m)}}
  end
  if #entries == 0 and call('EXISTS', m.taken) == 0 then
    call('HDEL', m.hash, 'token')
    if #state > 0 then call('HSET', m.hash, unpack(state)) end
    schedule_later(m)
    return {'ended'}
  end
  return {'go_on', lease(m, m.token, args[2], may_go_on and args[3] or 0, unpack(state)), entries, texts}
end

local replies, at = {}, 4
while at <= #ARGV do
  local count = tonumber(ARGV[at])
  local ok, reply = pcall(settle, {ARGV[1], ARGV[2], ARGV[3], unpack(ARGV, at + 1, at + count)})
  if not ok and m then undo_take(m) end
  replies[#replies + 1] = ok and reply or {'failed', text_of_error(reply)}
  at = at + 1 + count
end
store_turns()
return replies
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] lifetime of a turn, ms  [3] of a lease, ms  [4] subscription  [5] token  [6] its version
 * Returns {'lost'}, {'stopped', why} or {'leased', ms of the lease}. A stopped turn still lives on, so that its results can be settled.
 */
export const RENEW = `${START}${LEASE_LUA}
local m = open(ARGV[4])
if not m or m.token ~= ARGV[5] then return {'lost'} end
local stop = stop_of(m)
if not stop and m.version ~= ARGV[6] then stop = 'changed' end
if stop then
  call('ZADD', ${KEY.turns}, now + ARGV[2], m.id)
  return {'stopped', stop}
end
local ms = lease(m, m.token, ARGV[2], ARGV[3])
store_turns()
return {'leased', ms}
`;

/** KEYS[1] turns   returns {how many mailboxes are due and wait for a dispatcher, for how long the first of them has waited, ms} */
export const COUNT_DUE = `
${NOW_LUA}
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {redis.call('ZCOUNT', KEYS[1], '-inf', now), first[1] and math.max(0, now - first[2]) or 0}
`;

/** KEYS[1] turns   returns the ms until the next one is due, or -1 without one */
export const NEXT_DUE = `
${NOW_LUA}
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
if not first[1] then return -1 end
return math.max(0, first[2] - now)
`;
