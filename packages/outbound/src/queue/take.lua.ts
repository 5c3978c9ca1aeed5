import { DROPPED_TEXT, RETRIES_AT_MOST, TAKEN_TEXT } from './limits.ts';
import { KEY } from './mailbox.lua.ts';

/** Moves entries between the places of a mailbox. It follows MAILBOX_LUA. */
export const TAKE_LUA = `
-- Whether no earlier entry of its record is under attempt or to be attempted again.
local function is_free(m, entry)
  if not m.ordered then return true end
  local head = call('HGET', m.heads, record_of(entry))
  return not head or head == number_of(entry)
end

local function hold(m, entry) call('ZADD', m.held, 0, record_of(entry) .. '|' .. entry) end

-- The first entry of another record than the last that was probed, or else the first. Due times do not count, but an urgent entry
-- that waits is no probe.
local function pick_to_probe(m)
  if m.last_probed == nil then m.last_probed = call('HGET', m.hash, 'last_probed') end
  local first, from
  for _, place in ipairs({m.retry, m.new}) do
    local entries = place == m.retry and call('ZRANGEBYSCORE', place, 0, '+inf', 'LIMIT', 0, 500) or call('LRANGE', place, 0, 499)
    for _, entry in ipairs(entries) do
      if is_free(m, entry) then
        if record_of(entry) ~= m.last_probed then return entry, place end
        if not first then first, from = entry, place end
      end
    end
  end
  return first, from
end

local function take_to_probe(m)
  if call('EXISTS', m.taken) == 1 then return {} end
  local entry, place = pick_to_probe(m)
  if not entry then return {} end
  if place == m.retry then call('ZREM', m.retry, entry) else call('LREM', m.new, 1, entry) end
  return {entry}
end

-- Tests and redeliveries. Those of an ordered mailbox wait for an attempt about the same record, and for nothing else.
local function take_urgent(m, most)
  local found = call('ZRANGEBYSCORE', m.retry, string.format('-%.0f', now), '(0', 'LIMIT', 0, most)
  if #found == 0 then return found end
  local got, busy = {}, {}
  if m.ordered then
    for _, entry in ipairs(call('HVALS', m.taken)) do busy[record_of(entry)] = true end
  end
  for _, entry in ipairs(found) do
    local record = record_of(entry)
    if not busy[record] then
      got[#got + 1] = entry
      busy[record] = m.ordered
    end
  end
  if #got > 0 then call('ZREM', m.retry, unpack(got)) end
  return got
end

-- The head of a record is done or dropped: the next entry of the record, if there is one, may be attempted now.
local function follow(m, entry)
  local record = record_of(entry)
  if call('HGET', m.heads, record) ~= number_of(entry) then return end
  local start = record .. '|'
  local held = call('ZRANGEBYLEX', m.held, '[' .. start, '(' .. record .. '}', 'LIMIT', 0, 1)[1]
  if not held then return call('HDEL', m.heads, record) end
  local following = string.sub(held, #start + 1)
  call('ZREM', m.held, held)
  call('HSET', m.heads, record, number_of(following))
  call('ZADD', m.retry, 0, following)
end

-- Notes the message of a redelivery, for entries that scripts cannot look at. Forgets the oldest beyond the limit.
local function note_dropped(m, message, number)
  local dropped = (call('HGET', m.hash, 'dropped') or '|') .. message .. ':' .. number .. '|'
  local over = #dropped - ${DROPPED_TEXT}
  if over > 0 then dropped = string.sub(dropped, (string.find(dropped, '|', over + 1, true))) end
  call('HSET', m.hash, 'dropped', dropped)
end

-- A message that waits in the mailbox too was delivered by a redelivery: it must not leave a second time.
local function drop_waiting(m, message, number)
  local part = '|' .. message .. '|'
  local function drops(entry) return string.find(entry, part, 1, true) and not is_urgent(entry) end
  for _, held in ipairs(call('ZRANGE', m.held, 0, -1)) do
    if string.find(held, part, 1, true) then call('ZREM', m.held, held) end
  end
  for _, entry in ipairs(call('ZRANGE', m.retry, 0, -1)) do
    if drops(entry) then
      call('ZREM', m.retry, entry)
      if m.ordered then follow(m, entry) end
    end
  end
  for _, place in ipairs({m.new, m.tail}) do
    for _, entry in ipairs(call('LRANGE', place, 0, -1)) do
      if drops(entry) then call('LREM', place, 1, entry) end
    end
  end
  -- It may be in MongoDB, or on its way there (overflow.lua.ts).
  if m.over or m.probing then note_dropped(m, message, number) end
end

-- Urgent entries are left to take_urgent: it may have left some because their records are under attempt.
local function take_retries(m, got, most)
  while #got < most do
    local due = call('ZRANGEBYSCORE', m.retry, 0, now, 'LIMIT', 0, most - #got)
    if #due == 0 then return end
    call('ZREM', m.retry, unpack(due))
    m.moving = due
    for _, entry in ipairs(due) do
      if is_free(m, entry) then
        got[#got + 1] = entry
        if m.ordered then call('HSET', m.heads, record_of(entry), number_of(entry)) end
      else hold(m, entry) end
    end
    m.moving = nil
  end
end

-- The tail follows once nothing is left in MongoDB.
local function use_tail(m)
  if call('EXISTS', m.tail) == 1 then call('RENAME', m.tail, m.new) end
  call('HDEL', m.hash, 'over', 'dropped')
  m.over = false
end

local function take_new(m, got, most)
  local looked = 0
  while #got < most and looked < 1000 do
    local entries = call('LPOP', m.new, most - #got)
    if not entries then
      m.has_new = m.over
      if not has_more(m) or m.from then return end
      use_tail(m)
      entries = call('LPOP', m.new, most - #got) or {}
      if #entries == 0 then return end
    end
    m.moving = entries
    looked = looked + #entries
    local is_last = #entries < most - #got
    for _, entry in ipairs(entries) do
      if not m.ordered then got[#got + 1] = entry
      elseif call('HSETNX', m.heads, record_of(entry), number_of(entry)) == 1 then got[#got + 1] = entry
      else hold(m, entry) end
    end
    m.moving = nil
    if is_last and not m.over then
      m.has_new = false
      return
    end
  end
end

-- The text of each key; false if Redis does not have it, or if the script returns enough text already. Tests are only in Redis.
local text_left, is_test = ${TAKEN_TEXT.script}, {}
local function texts_of(keys)
  local texts = {}
  for n = 1, #keys, 16 do
    local last = math.min(n + 15, #keys)
    local some = text_left > 0 and call('MGET', unpack(keys, n, last)) or {}
    for i = 1, last - n + 1 do
      local text = some[i] or text_left <= 0 and is_test[keys[n + i - 1]] and call('GET', keys[n + i - 1]) or false
      texts[#texts + 1] = text
      if text then text_left = text_left - #text end
    end
  end
  return texts
end

-- Returns the entries and the text of each (texts_of). With a list 'keys', it adds the keys of the texts there instead.
-- Then is_empty is true if nothing is left in the mailbox but what is taken.
local function take(m, most, keys)
  if most == 0 then return {}, {} end
  -- Most mailboxes have nothing to try again.
  local retries = call('ZCARD', m.retry)
  local got = retries > 0 and take_urgent(m, most) or {}
  m.got = got
  local are_urgent = #got > 0
  if are_urgent then
  elseif m.not_before > now then return {}, {}
  elseif m.probing then
    if m.over and not m.from and call('EXISTS', m.new) == 0 then use_tail(m) end
    got = take_to_probe(m)
    m.got = got
    if m.ordered and got[1] then call('HSET', m.heads, record_of(got[1]), number_of(got[1])) end
  else
    if retries > 0 then take_retries(m, got, most) end
    if retries < ${RETRIES_AT_MOST} or has_room(m) then take_new(m, got, most) end
    m.is_empty = retries == 0 and m.has_new == false
  end
  if #got == 0 then return got, {} end
  local fields, later = {}, keys ~= nil
  keys = keys or {}
  for n, entry in ipairs(got) do
    fields[2 * n - 1], fields[2 * n] = number_of(entry), entry
    local change = string.match(entry, '^%d+|([^|]*)')
    keys[#keys + 1] = ${KEY.change('change')}
    if are_urgent and string.find(entry, '|webhook.test|', 1, true) then is_test[keys[#keys]] = true end
  end
  call('HSET', m.taken, unpack(fields))
  m.got = nil
  if later then return got, {} end
  return got, texts_of(keys)
end

-- Entries must be read from MongoDB before more can be taken.
local function must_load(m, most)
  return most > 0 and m.from and m.not_before <= now and has_more(m) and has_room(m) and call('EXISTS', m.new) == 0
    and call('EXISTS', m.taken) == 0
end

-- A take that fails has removed entries from their places (got, moving). They return to the front.
local function undo_take(m)
  for _, entries in ipairs({m.got or {}, m.moving or {}}) do
    for _, entry in ipairs(entries) do call('ZADD', m.retry, front_of(entry), entry) end
  end
end

-- All entries of a turn return to the front, in order.
local function give_back_all(m)
  local entries = call('HVALS', m.taken)
  for _, entry in ipairs(entries) do call('ZADD', m.retry, front_of(entry), entry) end
  if #entries > 0 then call('DEL', m.taken) end
end
`;
