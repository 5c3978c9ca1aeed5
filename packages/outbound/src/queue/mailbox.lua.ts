import { luaKeys } from '@sluice/redis/keyspace';
import { WHOLE_SLOT_LUA } from './clock.lua.ts';
import { HELD_AT_MOST, RETRIES_AT_MOST } from './limits.ts';

/** The scripts make their keys from the local `prefix`. */
export const KEY = luaKeys('prefix');

/**
 * A mailbox for scripts. They define `prefix` and `now` (ms), and have RUN_LUA before it. Its hash has
 *
 *   account, record, version, run, ordered   as published (directory.lua.ts)
 *   stops       why nothing is delivered, or ''   collects   1 if changes are kept for it
 *   ends        the end of its key or of the subscription, ms, or ''
 *   token       of the turn that attempts its entries now; absent without one
 *   lease_until the end of the last lease (ms)
 *   next        the number of the last entry
 *   era         when the mailbox was made (ms); it names its rows in MongoDB
 *   over        1 while entries are in MongoDB or in the tail
 *   over_from, over_to, over_count   the range of numbers that is in MongoDB, and how many; absent without any
 *   loaded_to   the last number that has come back from MongoDB; older rows up to it may still be there
 *   discarded_to   the rows with numbers up to it are discarded; absent without any in MongoDB
 *   over_epoch  grows with each move between Redis and MongoDB
 *   dropped     `|message:number|…` of the newest delivered redeliveries; the same messages with lower numbers in MongoDB are not delivered
 *   ids_mark, ids_marked_at, ids_cursor   the ids with numbers up to ids_mark are removed a day after ids_marked_at (FORGET)
 *   state       of the receiver, JSON; of it probing, last_probed and not_before (ms) as separate fields too
 *   fresh_from  the version with which the receiver had its last new start; turns of older ones store no state
 *
 * An entry is in one place: new, MongoDB, tail, retry, taken or held (keyspace.ts). Numbers in new are below those in MongoDB, and those
 * are below the ones in the tail (overflow.lua.ts). Heads and held are used only in ordered mailboxes. The
 * head of a record is in retry or taken. Every later entry of the record is in new or held.
 */
export const MAILBOX_LUA = `${WHOLE_SLOT_LUA}
local call = redis.call

-- A claim asks for 'record' and 'state' too.
local function open(id, ...)
  local f = call('HMGET', ${KEY.mailbox('id')}, 'run', 'stops', 'ends', 'ordered', 'token', 'probing', 'not_before', 'version',
    'account', 'next', 'collects', 'lease_until', 'over', ...)
  if not f[9] then return nil end
  local m = {id = id, is_published = f[1] == run, stops = f[2], ends = tonumber(f[3]), ordered = f[4] == '1', token = f[5],
    probing = f[6] == '1', not_before = tonumber(f[7]) or 0, version = f[8], account = f[9],
    next = tonumber(f[10]) or 0, collects = f[11] == '1', lease_until = tonumber(f[12]) or 0, over = f[13] == '1',
    record = f[14], state = f[15], retry = ${KEY.mailboxRetry('id')}, new = ${KEY.mailboxNew('id')},
    taken = ${KEY.mailboxTaken('id')}, heads = ${KEY.mailboxHeads('id')}, held = ${KEY.mailboxHeld('id')},
    hash = ${KEY.mailbox('id')}, tail = ${KEY.mailboxTail('id')}}
  -- Few mailboxes have entries in MongoDB.
  if m.over then
    local range = call('HMGET', m.hash, 'over_from', 'over_to')
    m.from, m.to = tonumber(range[1]), tonumber(range[2])
  end
  return m
end
local function era_of(m) return call('HGET', m.hash, 'era') or '0' end

-- Whether new entries may have their first attempt. Not if so many wait for a retry.
local function has_room(m) return call('ZCARD', m.retry) < ${RETRIES_AT_MOST} end
-- Whether entries can come from MongoDB or the tail. Not if so many wait for earlier ones of their records.
local function has_more(m) return m.over and (not m.ordered or call('ZCARD', m.held) < ${HELD_AT_MOST}) end

-- Why nothing may be delivered now, or nil.
local function stop_of(m)
  if not m.is_published then return 'unpublished' end
  if m.stops ~= '' then return m.stops end
  if m.ends and m.ends <= now then return 'ends' end
  return nil
end

local function number_of(entry) return string.sub(entry, 1, 12) end
local function record_of(entry) return string.match(entry, '[^|]*$') end
local function message_of(entry) return string.match(entry, '^%d+|[^|]*|([^|]*)') end

-- Tests and redeliveries have a negative score in retry: they are taken before all others, even if the mailbox is probed or must wait.
-- It is -1, or the time before which they are not taken (ms) with a minus.
local URGENT_SCORE = -1
local function is_urgent(entry)
  local kind, redelivery = string.match(entry, '^%d+|[^|]*|[^|]*|([^|]*)|%d+|(%d)')
  return kind == 'webhook.test' or redelivery == '1'
end
-- The score of an entry that returns to the front.
local function front_of(entry) return is_urgent(entry) and URGENT_SCORE or 0 end
-- Makes all of retry due, in the order of numbers. Urgent entries stay the first.
local function all_due(m)
  local urgent = call('ZRANGEBYSCORE', m.retry, '-inf', '(0')
  if call('ZUNIONSTORE', m.retry, 1, m.retry, 'WEIGHTS', 0) == 0 then return end
  for _, entry in ipairs(urgent) do call('ZADD', m.retry, URGENT_SCORE, entry) end
end

-- The score of an entry that is tried again at a time.
local function score_of(entry, at) return is_urgent(entry) and -at or at end

-- When one of the entries that are not urgent is to be taken, or nil. first: the first of them in retry, with its score.
local function usual_due_of(m, first)
  local due
  if (call('EXISTS', m.new) == 1 or has_more(m)) and has_room(m) then due = now
  elseif not first[1] then return nil
  else due = m.probing and now or tonumber(first[2]) end
  return math.max(due, m.not_before, now)
end

-- When something is to be taken, or nil.
local function due_of(m)
  if stop_of(m) then return nil end
  local first = call('ZRANGE', m.retry, 0, 0, 'WITHSCORES')
  if not first[1] or tonumber(first[2]) >= 0 then return usual_due_of(m, first) end
  local urgent = -tonumber(call('ZREVRANGEBYSCORE', m.retry, '(0', '-inf', 'WITHSCORES', 'LIMIT', 0, 1)[2])
  if urgent <= now then return now end
  local due = usual_due_of(m, call('ZRANGEBYSCORE', m.retry, 0, '+inf', 'WITHSCORES', 'LIMIT', 0, 1))
  return due and math.min(due, urgent) or urgent
end

-- When it is to be claimed, or nil. The claim of a mailbox of another run asks for it to be published. Nothing else would.
local function claim_due_of(m)
  if stop_of(m) == 'unpublished' then return now end
  return due_of(m)
end

local is_woken = false
local function wake()
  if is_woken then return end
  is_woken = true
  if call('EXISTS', ${KEY.turnsWake}) == 0 then call('RPUSH', ${KEY.turnsWake}, '1') end
end

-- Without a turn: enters the mailbox into turns, or removes it.
local function schedule(m)
  local due = claim_due_of(m)
  if not due then return call('ZREM', ${KEY.turns}, m.id) end
  call('ZADD', ${KEY.turns}, due, m.id)
  wake()
end

-- A number as Redis stores it. Most mailboxes of a script have the same times.
local number_texts = {}
local function text_of(number)
  local text = number_texts[number]
  if not text then
    text = string.format('%.0f', number)
    number_texts[number] = text
  end
  return text
end
`;

/** Changes of `turns` for many mailboxes: each command is for up to 500 of them. Call store_turns at the end of the script. */
export const MANY_TURNS_LUA = `
local dues, gone = {}, {}
local function due_at(m, at)
  dues[#dues + 1] = text_of(at)
  dues[#dues + 1] = m.id
end
-- Like schedule. In a mailbox that take has found empty nothing is due.
local function schedule_later(m)
  local due = not m.is_empty and claim_due_of(m)
  if not due then
    gone[#gone + 1] = m.id
    return
  end
  due_at(m, due)
  wake()
end
local function store_turns()
  for n = 1, #gone, 1000 do call('ZREM', ${KEY.turns}, unpack(gone, n, math.min(n + 999, #gone))) end
  for n = 1, #dues, 1000 do call('ZADD', ${KEY.turns}, unpack(dues, n, math.min(n + 999, #dues))) end
end
`;
