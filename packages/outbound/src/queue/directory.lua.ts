import { RUN_LUA } from '@sluice/redis/run.lua';
import { ASKED_LUA, SUBSCRIBED_LUA } from './asks-for-events.lua.ts';
import { EVEN_WHEN_FULL, NOW_LUA, WHOLE_SLOT_LUA } from './clock.lua.ts';
import { FENCE_MS, LEASE_MS, LOST_NUMBERS } from './limits.ts';
import { KEY, MAILBOX_LUA } from './mailbox.lua.ts';

/**
 * The list of an account's subscriptions: a hash with `version` (a nonce) and `run` (run.lua.ts) while every subscription of the
 * account is published, `fence:<token>` of each change that is running (its expiry, ms), `fenced_until`, the last expiry, `changes`,
 * how often a change was published, `leases_until`, when the last lease ends that was given before a publication (ms), and `tight` and
 * `tight_until`, the last look at the memory of Redis (push.lua.ts).
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
${WHOLE_SLOT_LUA}${NOW_LUA}${RUN_LUA}${FENCES_LUA}${ASKED_LUA}
redis.call('HSET', KEYS[1], 'fence:' .. ARGV[4], now + ARGV[3])
redis.call('ZADD', ${KEY.fenced}, now + ARGV[3], ARGV[2])
remove_expired()
-- The change may make the account ask for events, and die before it is published.
if asked_in(redis.call('GET', ${KEY.subscribed('ARGV[2]')})) ~= '1' then redis.call('DEL', ${KEY.subscribed('ARGV[2]')}) end
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
 * KEYS[1] the account's subscriptions   ARGV[1] prefix  [2] account  [3] the fence's token  [4] its run  [5] a new nonce
 *   [6] the number of changes when the fence was set  [7] 1 if these are all subscriptions of the account, or 0
 *   [8] 1 if one asks for events  [9] how many are removed, then their ids, then of each that is put: id, version, record, ordered (1 or 0), why it is stopped or '', collects (1 or 0), its end (ms) or ''
 * Returns the ms until the last lease ends that was given before, or -1 if these are all and must be read again. A record of an earlier run is never newer, and one that was read
 * for another run is not stored beside it (as in admission).
 */
export const PUBLISH_MAILBOXES = `${EVEN_WHEN_FULL}
local prefix = ARGV[1]
${NOW_LUA}${RUN_LUA}${FENCES_LUA}${SUBSCRIBED_LUA}${MAILBOX_LUA}
local mine, same_run, whole = 'fence:' .. ARGV[3], ARGV[4] == run, ARGV[7] == '1'
local had_fence = remove_fences(function(name) return name == mine end) == 1
local current = is_current(ARGV[6])
if not whole then redis.call('HINCRBY', KEYS[1], 'changes', 1)
-- A change was published after all were read, so they may be older.
elseif ARGV[6] ~= (redis.call('HGET', KEYS[1], 'changes') or '0') then return -1 end
local ids, lease_until = ${KEY.subscriptionIds('ARGV[2]')}, 0

-- Redis may have lost the last pushes and moves, whose rows are in MongoDB. No later entry or move may have their numbers.
local function pass_lost_numbers(hash)
  call('HINCRBY', hash, 'next', ${LOST_NUMBERS})
  call('HINCRBY', hash, 'over_epoch', ${LOST_NUMBERS})
end

-- With a turn whose lease seems to be over, the clock may have been set forward during the lease.
local function note_lease(ends, token)
  lease_until = math.max(lease_until, token and ends < now and now + ${LEASE_MS} or ends)
end

-- Redis may have lost a claim of the earlier run, but the lease that it gave still lasts.
local function lease_end_of(ends, in_this_run) return in_this_run and ends or now + ${LEASE_MS} end

local function remove(id)
  local m = open(id)
  if m then
    note_lease(lease_end_of(m.lease_until, m.is_published), m.token)
    call('DEL', m.hash, m.new, m.retry, m.taken, m.heads, m.held, m.tail, ${KEY.mailboxIds('id')})
  end
  call('ZREM', ${KEY.turns}, id)
  call('SREM', ids, id)
end

-- An unordered mailbox may have several entries of a record in retry. All become due, by number, and find their heads when they are taken.
local function reorder(m, ordered)
  m.ordered = ordered
  for _, held in ipairs(call('ZRANGE', m.held, 0, -1)) do
    call('ZADD', m.retry, 0, string.sub(held, #string.match(held, '^[^|]*|') + 1))
  end
  call('DEL', m.held, m.heads)
  if not ordered then return end
  all_due(m)
  local taken = call('HVALS', m.taken)
  table.sort(taken)
  for _, entry in ipairs(taken) do call('HSETNX', m.heads, record_of(entry), number_of(entry)) end
end

-- Whether a person or program has given the receiver a new start: another URL, or the end of a pause or of a deletion.
local function is_new_start(before, after)
  local ok, old = pcall(cjson.decode, before)
  -- Nothing was delivered under a record that cannot be read. The change must replace it.
  if not ok or type(old) ~= 'table' then return true end
  local new = cjson.decode(after)
  return old.target_url ~= new.target_url or old.paused ~= cjson.null and new.paused == cjson.null
end

-- The known failures of the receiver no longer count, and all that waits is due. A turn of an older version does not bring them back.
local function start_again(id, version)
  call('HDEL', ${KEY.mailbox('id')}, 'state', 'probing', 'last_probed', 'not_before')
  call('HSET', ${KEY.mailbox('id')}, 'fresh_from', version)
  all_due(open(id))
end

local function put(id, version, record, ordered, stops, collects, ends)
  local hash = ${KEY.mailbox('id')}
  local f = call('HMGET', hash, 'version', 'run', 'lease_until', 'ordered', 'record')
  local in_this_run = f[2] == run
  -- Also if this record is not stored: a newer one may have been published a moment ago.
  if f[2] then note_lease(lease_end_of(tonumber(f[3] or 0), in_this_run), call('HGET', hash, 'token')) end
  if in_this_run and tonumber(version) < tonumber(f[1]) then return end
  if not same_run and not in_this_run then return end
  call('HSET', hash, 'account', ARGV[2], 'version', version, 'run', run, 'record', record,
    'ordered', ordered, 'stops', stops, 'collects', collects, 'ends', ends)
  if f[2] and not in_this_run then
    call('HSET', hash, 'lease_until', text_of(now + ${LEASE_MS}))
    pass_lost_numbers(hash)
  end
  call('HSETNX', hash, 'era', now)
  call('SADD', ids, id)
  if f[5] and tonumber(version) > tonumber(f[1]) and is_new_start(f[5], record) then start_again(id, version) end
  local m = open(id)
  if f[4] and f[4] ~= ordered then reorder(m, ordered == '1') end
  if not m.token then schedule(m) end
end

local at, kept = 10 + ARGV[9], {}
for n = 10, at - 1 do remove(ARGV[n]) end
for n = at, #ARGV, 7 do
  put(ARGV[n], ARGV[n + 1], ARGV[n + 2], ARGV[n + 3], ARGV[n + 4], ARGV[n + 5], ARGV[n + 6])
  kept[ARGV[n]] = true
end
local list = redis.call('HMGET', KEYS[1], 'version', 'run')
local complete = whole or list[1] and list[2] == run
if had_fence and same_run and complete then
  if whole then
    for _, id in ipairs(call('SMEMBERS', ids)) do if not kept[id] then remove(id) end end
  end
  call('HSET', KEYS[1], 'version', ARGV[5], 'run', run)
else
  complete = false
  call('HDEL', KEYS[1], 'version')
end
note_asks(${KEY.subscribed('ARGV[2]')}, ARGV[8], complete and current)
if redis.call('HEXISTS', KEYS[1], 'fenced_until') == 0 then redis.call('ZREM', ${KEY.fenced}, ARGV[2]) end
-- A lease that seems to last longer was given before the clock was set back.
local ends_in = math.max(0, math.min(lease_until - now, ${LEASE_MS}))
-- If the reply is lost, the change is repeated, finds nothing to change, and must wait as well.
if ends_in > 0 then
  local before = math.min(tonumber(redis.call('HGET', KEYS[1], 'leases_until')) or 0, now + ${LEASE_MS})
  redis.call('HSET', KEYS[1], 'leases_until', math.max(before, now + ends_in))
end
return whole and not complete and -1 or ends_in
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

/**
 * KEYS[1] any key of the shard   ARGV[1] prefix  [2…] accounts
 * Returns for each '1', '0' or, if it is not known, '?' and the number of changes.
 */
export const WANTS_EVENTS = `
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${RUN_LUA}${ASKED_LUA}
local keys, out = {}, {}
for n = 2, #ARGV do keys[n - 1] = ${KEY.subscribed('ARGV[n]')} end
for n, value in ipairs(redis.call('MGET', unpack(keys))) do
  out[n] = asked_in(value)
  if not out[n] then out[n] = '?' .. (redis.call('HGET', ${KEY.subscriptions('ARGV[n + 1]')}, 'changes') or '0') end
end
return out
`;

/**
 * KEYS[1] the account's subscriptions   ARGV[1] prefix  [2] account  [3] 1 or 0, read from MongoDB  [4] the number of changes before
 * A published value is newer. Returns '1' or '0'.
 */
export const NOTE_WANTS_EVENTS = `
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${NOW_LUA}${RUN_LUA}${FENCES_LUA}${SUBSCRIBED_LUA}
local key = ${KEY.subscribed('ARGV[2]')}
local known = asked_in(redis.call('GET', key))
if known then return known end
-- A change that has died may be stored, and MongoDB was read before its fence ended. The next read is certain.
local current = is_current(ARGV[4])
remove_expired()
note_asks(key, ARGV[3], current)
return ARGV[3]
`;
