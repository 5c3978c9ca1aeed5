import { NOW_LUA, RUN_LUA } from './clock.lua.ts';
import { REDELIVERY_TEXT } from './entry.ts';
import { KEY, MAILBOX_LUA } from './mailbox.lua.ts';

const START = `
local prefix = ARGV[1]
${NOW_LUA}${RUN_LUA}${MAILBOX_LUA}
-- Without a turn: makes it due. It stays due if it was earlier.
local function make_due(m)
  if m.token or stop_of(m) then return end
  if call('ZADD', ${KEY.turns}, 'LT', 'CH', math.max(now, m.not_before), m.id) == 1 then wake() end
end
`;

/**
 * KEYS[1] the account's subscriptions (directory.lua.ts)   ARGV[1] prefix  [2] the nonce of the list that chose the subscriptions
 *   [3] lifetime of a text, ms  [4] how long ids are remembered, ms  [5] the mailboxes, JSON: [[subscription, [index of the change, message, …]], …]
 *   [6…] the changes: id, kind, record, text
 * Returns {'pushed'}, {'stale'} or {'fenced', ms}. Texts are separate arguments, because JSON in JSON costs more.
 */
export const PUSH = `${START}
local list = call('HMGET', KEYS[1], 'version', 'run', 'fenced_until')
if list[3] and tonumber(list[3]) > now then return {'fenced', list[3] - now} end
if list[3] or list[1] ~= ARGV[2] or list[2] ~= run then return {'stale'} end
local mailboxes, opened = cjson.decode(ARGV[5]), {}
for n, mailbox in ipairs(mailboxes) do
  opened[n] = open(mailbox[1])
  -- A mailbox that is lost while the list is not: the account must be published again.
  if not opened[n] or opened[n].run ~= run then
    call('HDEL', KEYS[1], 'version')
    return {'stale'}
  end
end
local stored = {}
for n, mailbox in ipairs(mailboxes) do
  local m, asked = opened[n], mailbox[2]
  if m.collects and not (m.ends and m.ends <= now) then
    local ids, changes = ${KEY.mailboxIds('m.id')}, {}
    for i = 1, #asked, 2 do changes[#changes + 1] = ARGV[6 + 4 * asked[i]] end
    local known = call('HMGET', ids, unpack(changes))
    local entries, remembered = {}, {}
    for i, change in ipairs(changes) do
      if not known[i] then
        local first = 6 + 4 * asked[2 * i - 1]
        m.next = m.next + 1
        entries[#entries + 1] = string.format('%012d|%s|%s|%s|%.0f|0|0||%s', m.next, change, asked[2 * i], ARGV[first + 1], now, ARGV[first + 2])
        remembered[#remembered + 1] = change
        remembered[#remembered + 1] = m.next
        stored[change] = ARGV[first + 3]
      end
    end
    if #entries > 0 then
      call('RPUSH', m.new, unpack(entries))
      call('HSET', m.hash, 'next', m.next)
      call('HSET', ids, unpack(remembered))
      call('PEXPIRE', ids, ARGV[4])
      make_due(m)
    end
  end
end
for change, text in pairs(stored) do call('SET', ${KEY.change('change')}, text, 'PX', ARGV[3]) end
return {'pushed'}
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] redelivery (entry.ts)  [4…] the part of each entry from change to kind, its record
 * A redelivery is due at once, before what was never attempted. Recovered entries are behind all that waits, as their numbers are,
 * so that an ordered mailbox keeps its order. Returns how many; 0 without a mailbox.
 */
export const PUSH_AGAIN = `${START}
local m = open(ARGV[2])
if not m then return 0 end
for n = 4, #ARGV, 2 do
  m.next = m.next + 1
  local entry = string.format('%012d|%s|%.0f|%s|0||%s', m.next, ARGV[n], now, ARGV[3], ARGV[n + 1])
  if ARGV[3] == '${REDELIVERY_TEXT.recovery}' then call('RPUSH', m.new, entry) else call('ZADD', m.retry, now, entry) end
end
call('HSET', m.hash, 'next', m.next)
make_due(m)
return (#ARGV - 3) / 2
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] the part of the entry from change to kind  [4] its record  [5] change
 *   [6] text  [7] lifetime of a text, ms
 * Returns '', or why nothing is delivered; then the test is not pushed.
 */
export const PUSH_TEST = `${START}
local m = open(ARGV[2])
if not m then return 'unpublished' end
local stop = stop_of(m)
if stop then return stop end
m.next = m.next + 1
call('SET', ${KEY.change('ARGV[5]')}, ARGV[6], 'PX', ARGV[7])
call('ZADD', m.retry, TEST_SCORE, string.format('%012d|%s|%.0f|0|0||%s', m.next, ARGV[3], now, ARGV[4]))
call('HSET', m.hash, 'next', m.next)
if not m.token and call('ZADD', ${KEY.turns}, 'LT', 'CH', now, m.id) == 1 then wake() end
return ''
`;

/** KEYS[1] any key of the shard   ARGV[1] prefix  [2] JSON: [[subscription, [change, …]], …] */
export const FORGET = `
local prefix = ARGV[1]
for _, mailbox in ipairs(cjson.decode(ARGV[2])) do
  local id = mailbox[1]
  redis.call('HDEL', ${KEY.mailboxIds('id')}, unpack(mailbox[2]))
end
`;
