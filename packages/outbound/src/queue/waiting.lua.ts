import { RUN_LUA } from '@sluice/redis/run.lua';
import { EVEN_WHEN_FULL, NOW_LUA, WHOLE_SLOT_LUA } from './clock.lua.ts';
import { KEY, MAILBOX_LUA } from './mailbox.lua.ts';

const START = `
local prefix = ARGV[1]
${NOW_LUA}${RUN_LUA}${MAILBOX_LUA}
-- Entries in MongoDB and in the tail. After a failover MongoDB may have more of them than Redis has counted.
local function over_of(m)
  return m.over and call('LLEN', m.tail) + math.max(0, tonumber(call('HGET', m.hash, 'over_count') or 0)) or 0
end
local function waiting_in(m)
  return call('HLEN', m.taken) + call('LLEN', m.new) + call('ZCARD', m.retry) + call('ZCARD', m.held) + over_of(m)
end
-- The numbers of the entries in MongoDB, and the era.
local function range_of(m) return m.from and {m.from, m.to, era_of(m)} or {} end
local function entry_of_held(held) return string.sub(held, #string.match(held, '^[^|]*|') + 1) end
`;

/**
 * KEYS[1] turns   ARGV[1] prefix  [2…] subscriptions
 * Returns for each false or {entries, of them attempted now, when the oldest was pushed or '', when something is due or '', state}.
 */
export const STATUS = `${START}
local function oldest_of(m)
  local entries = call('ZRANGE', m.retry, 0, 999)
  entries[#entries + 1] = call('LINDEX', m.new, 0) or nil
  for _, entry in ipairs(call('HVALS', m.taken)) do entries[#entries + 1] = entry end
  if #entries == 0 then return '' end
  table.sort(entries)
  return string.match(entries[1], '^[^|]*|[^|]*|[^|]*|[^|]*|(%d+)')
end

local out = {}
for n = 2, #ARGV do
  local m = open(ARGV[n])
  if not m then out[n - 1] = false
  else
    local due = not m.token and call('ZSCORE', KEYS[1], m.id) or ''
    out[n - 1] = {waiting_in(m), call('HLEN', m.taken), oldest_of(m), due, call('HGET', m.hash, 'state')}
  end
end
return out
`;

/**
 * KEYS[1] turns   ARGV[1] prefix  [2] the first  [3] the last of turns that is looked at
 * Returns how many were looked at, the messages that wait in them, and how many are subscriptions that are retrying. Streams
 * (`ephemeral_until`) and replies have no receiver that an operator could ask.
 */
export const TOTALS = `${START}
local ids, waiting, retrying = call('ZRANGE', KEYS[1], ARGV[2], ARGV[3]), 0, 0
for _, id in ipairs(ids) do
  local m = open(id, 'record', 'state')
  local record = m and m.record or ''
  local function has(text) return string.find(record, text, 1, true) end
  if has('"kind":"webhook"') and has('"ephemeral_until":null') then
    local own = waiting_in(m)
    waiting = waiting + own
    if own > 0 and has('"paused":null') and m.state and string.find(m.state, '"firstFailureAt":%d') then retrying = retrying + 1 end
  end
end
return {#ids, waiting, retrying}
`;

/** KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] a number  [4] how many   returns the entries after the number, in order */
export const LIST = `${START}
local m = open(ARGV[2])
if not m then return {} end
local after, most, entries = string.format('%012d', ARGV[3]), tonumber(ARGV[4]), {}
local function add(entry) if number_of(entry) > after then entries[#entries + 1] = entry end end

-- New entries are sorted. low becomes the index of the first one after the number.
local low, high = 0, call('LLEN', m.new)
while low < high do
  local middle = math.floor((low + high) / 2)
  if number_of(call('LINDEX', m.new, middle)) > after then high = middle else low = middle + 1 end
end
for _, entry in ipairs(call('LRANGE', m.new, low, low + most - 1)) do add(entry) end
for _, entry in ipairs(call('LRANGE', m.tail, 0, -1)) do add(entry) end
for _, entry in ipairs(call('ZRANGE', m.retry, 0, -1)) do add(entry) end
for _, entry in ipairs(call('HVALS', m.taken)) do add(entry) end
for _, held in ipairs(call('ZRANGE', m.held, 0, -1)) do add(entry_of_held(held)) end
table.sort(entries)
for n = #entries, most + 1, -1 do entries[n] = nil end
return entries
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription
 * Moves what waits to the list of discarded entries, where no turn takes it. Those of a running turn stay. Returns how many it moved,
 * the last number in MongoDB, or 0, and how many are there. They follow when they are read (overflow.lua.ts).
 */
export const DISCARD = `${EVEN_WHEN_FULL}${START}
local m = open(ARGV[2])
if not m then return {0, 0, 0} end
local to, moved = ${KEY.mailboxDiscarded('m.id')}, 0
local function move(entries)
  for n = 1, #entries, 1000 do call('RPUSH', to, unpack(entries, n, math.min(n + 999, #entries))) end
  moved = moved + #entries
end
move(call('LRANGE', m.new, 0, -1))
move(call('LRANGE', m.tail, 0, -1))
move(call('ZRANGE', m.retry, 0, -1))
local held = call('ZRANGE', m.held, 0, -1)
for n, one in ipairs(held) do held[n] = entry_of_held(one) end
move(held)
call('DEL', m.new, m.tail, m.retry, m.held, m.heads)
local stored = 0
if m.from then
  stored = math.max(0, tonumber(call('HGET', m.hash, 'over_count')) or 0)
  -- Also rows of the tail, which a move may have written already.
  call('HSET', m.hash, 'discarded_to', m.next)
else call('HDEL', m.hash, 'over', 'dropped') end
if m.ordered then
  for _, entry in ipairs(call('HVALS', m.taken)) do call('HSET', m.heads, record_of(entry), number_of(entry)) end
end
if moved > 0 then call('SADD', ${KEY.discarding}, m.account .. ' ' .. m.id) end
if not m.token then schedule(m) end
return {moved, m.to or 0, stored}
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] account  [4] the first discarded entry, or ''  [5] how many are in the log
 * Forgets discarded entries, unless another process has already done so.
 */
export const FORGET_DISCARDED = `
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}local list = ${KEY.mailboxDiscarded('ARGV[2]')}
if ARGV[4] ~= '' and redis.call('LINDEX', list, 0) == ARGV[4] then redis.call('LTRIM', list, ARGV[5], -1) end
if redis.call('EXISTS', list) == 0 then redis.call('SREM', ${KEY.discarding}, ARGV[3] .. ' ' .. ARGV[2]) end
`;

/** Places other than the list of new entries have no order by time, so at most so many entries of each are looked at. */
const LOOKED_AT = 10_000;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] when an entry was pushed (ms) or '', and  [4] its message: the last of the
 *   previous page  [5] how many
 * Returns entries that were never attempted, by time and message, the latest first, and the range in MongoDB or {}.
 */
export const LIST_UNATTEMPTED = `${START}
local m = open(ARGV[2])
if not m then return {{}, {}} end
local most, found = tonumber(ARGV[5]), {}
local before = {at = ARGV[3] == '' and math.huge or tonumber(ARGV[3]), message = ARGV[4]}
local function later(a, b) return a.at > b.at or (a.at == b.at and a.message > b.message) end
local function read(entry)
  local message, at, redelivery, attempts = string.match(entry, '^%d+|[^|]*|([^|]*)|[^|]*|(%d+)|(%d)|(%d+)|')
  return {entry = entry, message = message, at = tonumber(at), unattempted = redelivery ~= '1' and attempts == '0'}
end
local function add(one)
  if not one.unattempted or not later(before, one) then return false end
  found[#found + 1] = one
  return true
end

-- New entries are in order. high becomes the index behind the last one that may be listed.
local low, high = 0, call('LLEN', m.new)
while low < high do
  local middle = math.floor((low + high) / 2)
  if read(call('LINDEX', m.new, middle)).at > before.at then high = middle else low = middle + 1 end
end
local count, last = 0, nil
while high > 0 and count >= 0 do
  local start = math.max(0, high - 200)
  local entries = call('LRANGE', m.new, start, high - 1)
  for i = #entries, 1, -1 do
    local one = read(entries[i])
    -- Entries of the same instant are sorted below, so all of them are needed.
    if count >= most and one.at < last then count = -1 break end
    if add(one) then count, last = count + 1, one.at end
  end
  high = start
end
for _, entry in ipairs(call('LRANGE', m.tail, 0, -1)) do add(read(entry)) end
for _, entry in ipairs(call('ZRANGE', m.retry, 0, ${LOOKED_AT - 1})) do add(read(entry)) end
for _, entry in ipairs(call('HVALS', m.taken)) do add(read(entry)) end
for _, held in ipairs(call('ZRANGE', m.held, 0, ${LOOKED_AT - 1})) do add(read(entry_of_held(held))) end
table.sort(found, later)
local out = {}
for n = 1, math.min(most, #found) do out[n] = found[n].entry end
return {out, range_of(m)}
`;

/** KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] the most   returns the messages that wait in Redis and the range in MongoDB or {}, or false if more wait */
export const WAITING_MESSAGES = `${START}
local m = open(ARGV[2])
if not m then return {{}, {}} end
local waiting = call('HLEN', m.taken) + call('LLEN', m.new) + call('ZCARD', m.retry) + call('ZCARD', m.held) + over_of(m)
if waiting > tonumber(ARGV[3]) then return false end
local out = {}
local function add(entry) out[#out + 1] = string.match(entry, '^%d+|[^|]*|([^|]*)') end
for _, entry in ipairs(call('HVALS', m.taken)) do add(entry) end
for _, entry in ipairs(call('LRANGE', m.new, 0, -1)) do add(entry) end
for _, entry in ipairs(call('LRANGE', m.tail, 0, -1)) do add(entry) end
for _, entry in ipairs(call('ZRANGE', m.retry, 0, -1)) do add(entry) end
for _, held in ipairs(call('ZRANGE', m.held, 0, -1)) do add(entry_of_held(held)) end
return {out, range_of(m)}
`;
