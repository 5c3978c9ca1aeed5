import { RUN_LUA } from '@sluice/redis/run.lua';
import { EVEN_WHEN_FULL, NOW_LUA, TIGHT_LUA, WHOLE_SLOT_LUA } from './clock.lua.ts';
import { REDELIVERY_TEXT } from './entry.ts';
import { FENCE_MS, OLD_IDS_LOOKS, TIGHT, TIGHT_LOOK_MS } from './limits.ts';
import { KEY, MAILBOX_LUA } from './mailbox.lua.ts';

const START = `
local prefix = ARGV[1]
${NOW_LUA}${RUN_LUA}${MAILBOX_LUA}
-- Without a turn: makes it due. It stays due if it was earlier.
local function make_due(m)
  if m.token or stop_of(m) then return end
  if call('ZADD', ${KEY.turns}, 'LT', 'CH', math.max(now, m.not_before), m.id) == 1 then wake() end
end
-- The same for many: a list of times and subscriptions.
local function make_all_due(dues)
  for n = 1, #dues, 1000 do
    if call('ZADD', ${KEY.turns}, 'LT', 'CH', unpack(dues, n, math.min(n + 999, #dues))) > 0 then wake() end
  end
end
`;

/** Chooses the place of new entries, and whether some move to MongoDB. */
const PLACE_LUA = `${TIGHT_LUA}
local function place_of(m, count, usual, probed, tight)
  local kept = tonumber(m.probing and probed or usual)
  if kept == 0 then return m.new end
  kept = limit_of(kept, tight, ${TIGHT.kept})
  if not m.over and call('LLEN', m.new) + count > kept then
    call('HSET', m.hash, 'over', '1')
    m.over = true
  end
  return m.over and m.tail or m.new
end
-- Appends to the place of new entries, and returns it. It mostly needs one command.
local function append(m, entries, usual, probed, tight)
  local kept = tonumber(m.probing and probed or usual)
  if kept == 0 or not m.over then
    local length = call('RPUSH', m.new, unpack(entries))
    if kept == 0 or length <= limit_of(kept, tight, ${TIGHT.kept}) then return m.new end
    call('LTRIM', m.new, 0, -#entries - 1)
    call('HSET', m.hash, 'over', '1')
    m.over = true
  end
  call('RPUSH', m.tail, unpack(entries))
  return m.tail
end
local function spills_now(m, probed, spilled_at, tight)
  spilled_at = limit_of(spilled_at, tight, ${TIGHT.spilledAt})
  return call('LLEN', m.tail) >= spilled_at or m.probing and call('LLEN', m.new) >= probed + spilled_at
end
`;

/**
 * KEYS[1] the account's subscriptions (directory.lua.ts)   ARGV[1] prefix  [2] the nonce of the list that chose the subscriptions
 *   [3] lifetime of a text, ms  [4] how long ids are remembered, ms  [5] the entries that a mailbox keeps, 0: all  [6] that a probed one keeps
 *   [7] the tail that is to be spilled  [8] the mailboxes, JSON: [[subscription, [index of the change, message, …]], …]
 *   [9…] the changes: id, kind, record, text
 * Returns {'pushed', 0, the mailboxes to spill}, {'stale'} or {'fenced', ms}. Texts are separate arguments, because JSON in JSON costs more.
 */
export const PUSH = `${START}${PLACE_LUA}
local list = call('HMGET', KEYS[1], 'version', 'run', 'fenced_until', 'tight', 'tight_until')
if list[3] and tonumber(list[3]) > now then return {'fenced', math.min(list[3] - now, ${FENCE_MS})} end
if list[3] or list[1] ~= ARGV[2] or list[2] ~= run then return {'stale'} end
local mailboxes, opened = cjson.decode(ARGV[8]), {}
for n, mailbox in ipairs(mailboxes) do
  opened[n] = open(mailbox[1])
  -- A mailbox that is lost while the list is not: the account must be published again.
  if not opened[n] or not opened[n].is_published then
    call('HDEL', KEYS[1], 'version')
    return {'stale'}
  end
end
local tight = list[4] == '1'
local looked_until = tonumber(list[5] or 0)
-- One that is further away was stored before the clock was set back.
if looked_until <= now or looked_until > now + ${TIGHT_LOOK_MS} then
  tight = is_tight()
  call('HSET', KEYS[1], 'tight', tight and '1' or '0', 'tight_until', now + ${TIGHT_LOOK_MS})
end
local stored, spills, dues, now_text = {}, {}, {}, text_of(now)
for n, mailbox in ipairs(mailboxes) do
  local m, asked = opened[n], mailbox[2]
  if m.collects and not (m.ends and m.ends <= now) then
    local ids, changes = ${KEY.mailboxIds('m.id')}, {}
    for i = 1, #asked, 2 do changes[#changes + 1] = ARGV[9 + 4 * asked[i]] end
    local known = call('HMGET', ids, unpack(changes))
    local entries, remembered, texts = {}, {}, {}
    for i, change in ipairs(changes) do
      if not known[i] then
        local first = 9 + 4 * asked[2 * i - 1]
        m.next = m.next + 1
        entries[#entries + 1] = string.format('%012d|%s|%s|%s|%s|0|0||%s', m.next, change, asked[2 * i], ARGV[first + 1], now_text, ARGV[first + 2])
        remembered[#remembered + 1] = change
        remembered[#remembered + 1] = m.next
        texts[change] = ARGV[first + 3]
      end
    end
    if #entries > 0 then
      local place = append(m, entries, ARGV[5], ARGV[6], tight)
      -- What goes over is attempted later, with the text from MongoDB.
      if place == m.new and not tight then
        for change, text in pairs(texts) do stored[change] = text end
      end
      call('HSET', m.hash, 'next', m.next)
      call('HSET', ids, unpack(remembered))
      call('PEXPIRE', ids, ARGV[4])
      if not m.token and not stop_of(m) then
        dues[#dues + 1] = text_of(math.max(now, m.not_before))
        dues[#dues + 1] = m.id
      end
    end
    if m.over and spills_now(m, ARGV[6], ARGV[7], tight) then spills[#spills + 1] = m.id end
  end
end
make_all_due(dues)
for change, text in pairs(stored) do call('SET', ${KEY.change('change')}, text, 'PX', ARGV[3]) end
return {'pushed', 0, spills}
`;

/** Makes an entry with the next number: of its part from change to kind, why it is sent again, and its record. */
const NEW_ENTRY_LUA = `
local function new_entry(m, start, redelivery, record)
  m.next = m.next + 1
  call('HSET', m.hash, 'next', m.next)
  return string.format('%012d|%s|%.0f|%s|0||%s', m.next, start, now, redelivery, record)
end
-- Due now, whatever else the mailbox waits for.
local function push_urgent(m, entry)
  call('ZADD', m.retry, URGENT_SCORE, entry)
  if not m.token and call('ZADD', ${KEY.turns}, 'LT', 'CH', now, m.id) == 1 then wake() end
end
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] the entries that a mailbox keeps, 0: all  [4] that a probed one keeps
 *   [5…] the part of each entry from change to kind, its record
 * Recovered entries are behind all that waits, as their numbers are, so that an ordered mailbox keeps its order. Returns 'pushed',
 * or 'absent' without a mailbox that was published to this run of Redis.
 */
export const PUSH_RECOVERED = `${START}${NEW_ENTRY_LUA}${PLACE_LUA}
local m = open(ARGV[2])
if not m or not m.is_published then return 'absent' end
local place = place_of(m, (#ARGV - 4) / 2, ARGV[3], ARGV[4], is_tight())
for n = 5, #ARGV, 2 do call('RPUSH', place, new_entry(m, ARGV[n], '${REDELIVERY_TEXT.recovery}', ARGV[n + 1])) end
make_due(m)
return 'pushed'
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] the part of the entry from change to kind  [4] its record
 *   [5] 1 if its message is not in MongoDB, or 0 if that is unknown
 * A redelivery is attempted at once, also if the mailbox is probed or must wait. In an ordered mailbox a message that waits for
 * earlier ones of its record is not sent before them: then 'in_order' is returned, and nothing is pushed. 'unknown': look for it in
 * MongoDB. 'absent': without a mailbox that was published to this run of Redis.
 */
export const PUSH_REDELIVERY = `${START}${NEW_ENTRY_LUA}
local m = open(ARGV[2])
if not m or not m.is_published then return 'absent' end
if m.ordered then
  local message = string.match(ARGV[3], '^[^|]*|([^|]*)')
  local part = '|' .. message .. '|'
  local function waits(entries)
    for _, entry in ipairs(entries) do if string.find(entry, part, 1, true) then return true end end
  end
  local held = call('ZRANGEBYLEX', m.held, '[' .. ARGV[4] .. '|', '(' .. ARGV[4] .. '}')
  if waits(held) or waits(call('LRANGE', m.new, 0, -1)) or waits(call('LRANGE', m.tail, 0, -1)) then return 'in_order' end
  -- It may have been dropped: an earlier redelivery of it was delivered (overflow.lua.ts).
  local dropped = call('HGET', m.hash, 'dropped') or ''
  if m.from and ARGV[5] == '0' and not string.find(dropped, '|' .. message .. ':', 1, true) then return 'unknown' end
end
local entry = new_entry(m, ARGV[3], '${REDELIVERY_TEXT.redelivery}', ARGV[4])
if stop_of(m) then call('ZADD', m.retry, URGENT_SCORE, entry) else push_urgent(m, entry) end
return 'pushed'
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] the part of the entry from change to kind  [4] its record  [5] change
 *   [6] text  [7] lifetime of a text, ms
 * Returns '', or why nothing is delivered; then the test is not pushed.
 */
export const PUSH_TEST = `${START}${NEW_ENTRY_LUA}
local m = open(ARGV[2])
if not m then return 'unpublished' end
local stop = stop_of(m)
if stop then return stop end
call('SET', ${KEY.change('ARGV[5]')}, ARGV[6], 'PX', ARGV[7])
push_urgent(m, new_entry(m, ARGV[3], '0', ARGV[4]))
return ''
`;

/**
 * KEYS[1] any key of the shard   ARGV[1] prefix  [2] JSON: [[subscription, [change, …]], …]  [3] how long ids are remembered, ms
 * A worker that dies forgets nothing, and a busy mailbox never expires. So once a day each call also looks through some of the ids of
 * some mailboxes, and removes those that were remembered a day before. The next calls go on with it.
 */
export const FORGET = `${EVEN_WHEN_FULL}
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${NOW_LUA}
local keep_ms = tonumber(ARGV[3])

local looks = ${OLD_IDS_LOOKS}
local function remove_old(id)
  local hash, ids = ${KEY.mailbox('id')}, ${KEY.mailboxIds('id')}
  local f = redis.call('HMGET', hash, 'next', 'ids_marked_at', 'ids_mark', 'ids_cursor')
  local next, marked_at, mark, cursor = tonumber(f[1]), tonumber(f[2]), tonumber(f[3]), f[4]
  if not next then return end
  -- A mark in the future was set before the clock was set back.
  if not mark or marked_at > now then return redis.call('HSET', hash, 'ids_marked_at', now, 'ids_mark', next) end
  if not cursor and now - marked_at < keep_ms then return end
  if looks == 0 then return end
  looks = looks - 1
  local found = redis.call('HSCAN', ids, cursor or '0', 'COUNT', 100)
  for n = 1, #found[2], 2 do
    if tonumber(found[2][n + 1]) <= mark then redis.call('HDEL', ids, found[2][n]) end
  end
  if found[1] ~= '0' then return redis.call('HSET', hash, 'ids_cursor', found[1]) end
  redis.call('HDEL', hash, 'ids_cursor')
  redis.call('HSET', hash, 'ids_marked_at', now, 'ids_mark', next)
end

for _, mailbox in ipairs(cjson.decode(ARGV[2])) do
  local id = mailbox[1]
  redis.call('HDEL', ${KEY.mailboxIds('id')}, unpack(mailbox[2]))
  remove_old(id)
end
`;
