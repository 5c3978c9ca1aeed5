import { RUN_LUA } from '@sluice/redis/run.lua';
import { EVEN_WHEN_FULL, NOW_LUA, TIGHT_LUA } from './clock.lua.ts';
import { TIGHT } from './limits.ts';
import { KEY, MAILBOX_LUA } from './mailbox.lua.ts';

/**
 * A mailbox that is full goes over into MongoDB. New entries then go into its tail, and from there to the end of the range in
 * MongoDB. Entries are written to MongoDB first, and then one script moves the range over them. So whatever dies between them, each
 * entry is in one place, and no number has to be waited for. A move that lost a race changes nothing: its rows are below or above the
 * range, and nothing reads them. Rows whose entries have come back stay for a while (limits.ts), because Redis may lose that move. They
 * are below the range. A probed mailbox that gives entries back moves its start down, so the old rows there are removed before.
 */
const START = `
local prefix = ARGV[1]
${NOW_LUA}${RUN_LUA}${MAILBOX_LUA}`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] the entries that a probed mailbox keeps  [4] the tail that is spilled
 *   [5] the most entries
 * Returns the place that entries move from (or ''), the epoch, the era, the entries, and the number up to which rows of earlier moves are
 * old (or 0). A probed mailbox gives the end of its new entries back.
 */
export const SPILL_READ = `${EVEN_WHEN_FULL}${START}${TIGHT_LUA}
local m = open(ARGV[2])
if not m then return {'', 0, '', {}, 0} end
local most, new = tonumber(ARGV[5]), call('LLEN', m.new)
local place, entries, old_to = '', {}, 0
local spilled_at = limit_of(ARGV[4], is_tight(), ${TIGHT.spilledAt})
if m.probing and new >= ARGV[3] + spilled_at then
  place, entries = 'new', call('LRANGE', m.new, -math.min(most, new - ARGV[3]), -1)
  -- What a redelivery has dropped behind the last entry had a row too.
  old_to = math.max(tonumber(number_of(entries[#entries])), tonumber(call('HGET', m.hash, 'loaded_to') or 0))
  if m.from then old_to = math.min(old_to, m.from - 1) end
elseif call('LLEN', m.tail) >= spilled_at then
  place, entries = 'tail', call('LRANGE', m.tail, 0, most - 1)
end
if #entries == 0 then return {'', 0, '', {}, 0} end
return {place, call('HINCRBY', m.hash, 'over_epoch', 1), era_of(m), entries, old_to}
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] place  [4] epoch  [5] the first entry  [6] the last one  [7] how many
 * They are in MongoDB now. Returns 1, or 0 if something else has moved since.
 */
export const SPILLED = `${EVEN_WHEN_FULL}${START}
local m = open(ARGV[2])
local count = tonumber(ARGV[7])
if not m or call('HGET', m.hash, 'over_epoch') ~= ARGV[4] then return 0 end
local first, last = tonumber(number_of(ARGV[5])), tonumber(number_of(ARGV[6]))
if ARGV[3] == 'new' then
  if call('LINDEX', m.new, -count) ~= ARGV[5] or call('LINDEX', m.new, -1) ~= ARGV[6] then return 0 end
  call('LTRIM', m.new, 0, -count - 1)
  call('HSET', m.hash, 'over', '1', 'over_from', first, 'over_to', m.to or last)
else
  if call('LINDEX', m.tail, 0) ~= ARGV[5] or call('LINDEX', m.tail, count - 1) ~= ARGV[6] then return 0 end
  call('LTRIM', m.tail, count, -1)
  call('HSET', m.hash, 'over_from', m.from or first, 'over_to', last)
end
call('HINCRBY', m.hash, 'over_count', count)
return 1
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] the turn's token, or '' to discard  [4] where the range began when it was read
 *   [5] the last number that was read  [6…] the entries, which were read from MongoDB
 * They are in Redis from now on, except the messages that a later redelivery has delivered. What was discarded since it was written goes to
 * the discarded entries, also for a turn. Returns the epoch of their rows, or -1 if something else has moved since.
 */
export const LOADED = `${START}
local m = open(ARGV[2])
if not m or not m.from or m.from ~= tonumber(ARGV[4]) then return -1 end
if ARGV[3] ~= '' and m.token ~= ARGV[3] then return -1 end
-- The number of the last redelivery of each message.
local dropped = {}
for message, number in string.gmatch(call('HGET', m.hash, 'dropped') or '', '([^|]+):(%d+)|') do dropped[message] = number end
local function is_dropped(entry)
  local redelivered = dropped[message_of(entry)]
  return redelivered and number_of(entry) < redelivered
end
local last, count, entries, discarded = tonumber(ARGV[5]), #ARGV - 5, {}, {}
local discarded_to = ARGV[3] == '' and math.huge or tonumber(call('HGET', m.hash, 'discarded_to') or 0)
for n = 6, #ARGV do
  if not is_dropped(ARGV[n]) then
    local to = tonumber(number_of(ARGV[n])) <= discarded_to and discarded or entries
    to[#to + 1] = ARGV[n]
  end
end
if last >= m.to then
  call('HDEL', m.hash, 'over_from', 'over_to', 'over_count', 'discarded_to')
  if call('EXISTS', m.tail) == 0 then call('HDEL', m.hash, 'over', 'dropped') end
else
  call('HSET', m.hash, 'over_from', last + 1)
  call('HINCRBY', m.hash, 'over_count', -count)
end
if #entries > 0 then call('RPUSH', m.new, unpack(entries)) end
if #discarded > 0 then
  call('RPUSH', ${KEY.mailboxDiscarded('m.id')}, unpack(discarded))
  call('SADD', ${KEY.discarding}, m.account .. ' ' .. m.id)
end
call('HSET', m.hash, 'loaded_to', last)
return call('HINCRBY', m.hash, 'over_epoch', 1) - 1
`;

/** The same while Redis is full: to discard them, which frees memory, or for a turn, which gets few. Only some are in Redis at a time. */
export const LOADED_WHEN_FULL = `${EVEN_WHEN_FULL}${LOADED}`;

/** KEYS[1] mailbox   ARGV[1] prefix  [2] subscription   returns {} or {the first number in MongoDB, the last one, the era} */
export const RANGE = `${START}
local m = open(ARGV[2])
if not m or not m.from then return {} end
return {m.from, m.to, era_of(m)}
`;
