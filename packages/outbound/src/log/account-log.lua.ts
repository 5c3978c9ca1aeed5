import { RUN_LUA } from '@sluice/redis/run.lua';
import { NOW_LUA, WHOLE_SLOT_LUA } from '../queue/clock.lua.ts';
import { KEY } from '../queue/keys.lua.ts';
import { FENCE_MS } from '../queue/limits.ts';

/** How long a batch may be open, and how long it is remembered that one was given up. Milliseconds. */
const OPEN_MS = 10_000;
const GIVEN_UP_MS = 86_400_000;
/** Each claim reads those that are remembered. */
const GIVEN_UP_KEPT = 1_000;

/**
 * The log of an account. Its hash has
 *
 *   run       of Redis, in which the numbers were given (run.lua.ts)
 *   from      the first number of this run, or behind the last batch that was forgotten. Of batches with lower numbers nothing is known
 *   last      the last number that was given
 *   confirms  how many batches were confirmed
 *
 * Its sorted set of open batches has `first:count` of each and when it is given up (ms). Readers stop below the lowest open number.
 * `given up` has the same of those that were not confirmed in time, with when they were noted. Readers may have passed them.
 */
export const LOG_LUA = `
local call = redis.call
local function text_of(number) return string.format('%.0f', number) end
-- A dispatcher that waits for work knows nothing of what is due soon.
local function wake()
  if call('EXISTS', ${KEY.turnsWake}) == 0 then call('RPUSH', ${KEY.turnsWake}, '1') end
end
-- The lowest number of an open batch, and when that batch is given up; nil without one.
local function lowest_open(account)
  local lowest, ends
  local found = call('ZRANGEBYSCORE', ${KEY.openBatches('account')}, '(' .. now, '+inf', 'WITHSCORES')
  for i = 1, #found, 2 do
    local first = tonumber(string.match(found[i], '^%d+'))
    if not lowest or first < lowest then lowest, ends = first, tonumber(found[i + 1]) end
  end
  return lowest, ends
end
-- Gives numbers in this run from now on. highest: in the log, which Redis may not know.
local function begin_log(account, highest)
  local key = ${KEY.accountLog('account')}
  local log = call('HMGET', key, 'run', 'last')
  if log[1] == run then return end
  local last = math.max(tonumber(log[2] or 0), tonumber(highest))
  call('DEL', ${KEY.openBatches('account')}, ${KEY.givenUpBatches('account')})
  call('HSET', key, 'run', run, 'last', text_of(last), 'from', text_of(math.max(last + 1, time[1] * 1000000 + time[2])))
end
`;

/**
 * KEYS[1] the account's subscriptions   ARGV[1] prefix  [2] account  [3] how many numbers
 * Returns {'open', version of the list of subscriptions, first number}, {'nobody'} without a subscription, {'fenced', ms} or {'absent'}.
 */
export const REGISTER = `
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${NOW_LUA}${RUN_LUA}${LOG_LUA}
local list = call('HMGET', KEYS[1], 'version', 'run', 'fenced_until')
if list[3] and tonumber(list[3]) > now then return {'fenced', math.min(list[3] - now, ${FENCE_MS})} end
if list[3] or not list[1] or list[2] ~= run then return {'absent'} end
local key = ${KEY.accountLog('ARGV[2]')}
local open, given_up = ${KEY.openBatches('ARGV[2]')}, ${KEY.givenUpBatches('ARGV[2]')}
local log = call('HMGET', key, 'run', 'last')
if log[1] ~= run then return {'absent'} end
if call('SCARD', ${KEY.subscriptionIds('ARGV[2]')}) == 0 then return {'nobody'} end
for _, batch in ipairs(call('ZRANGEBYSCORE', open, '-inf', now)) do
  call('ZREM', open, batch)
  call('ZADD', given_up, now, batch)
end
-- Nobody knows any more which numbers below are of batches that were given up.
local forgotten = math.max(call('ZCOUNT', given_up, '-inf', now - ${GIVEN_UP_MS}), call('ZCARD', given_up) - ${GIVEN_UP_KEPT})
if forgotten > 0 then
  local from = tonumber(call('HGET', key, 'from'))
  for _, batch in ipairs(call('ZRANGE', given_up, 0, forgotten - 1)) do
    local number, count = string.match(batch, '^(%d+):(%d+)$')
    from = math.max(from, number + count)
  end
  call('HSET', key, 'from', text_of(from))
  call('ZREMRANGEBYRANK', given_up, 0, forgotten - 1)
end
local first = math.max(log[2] + 1, time[1] * 1000000 + time[2])
call('HSET', key, 'last', text_of(first + ARGV[3] - 1))
call('ZADD', open, now + ${OPEN_MS}, text_of(first) .. ':' .. ARGV[3])
return {'open', list[1], text_of(first)}
`;

const GIVE_UP_LUA = `
local function give_up(why)
  for _, batch in ipairs(batches) do
    if call('ZREM', open, batch) == 1 then call('ZADD', ${KEY.givenUpBatches('ARGV[2]')}, now, batch) end
  end
  return {why}
end
`;

/** KEYS[1] the account's subscriptions   ARGV[1] prefix  [2] account, then batches as `first:count`, which are given up */
export const GIVE_UP = `
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${NOW_LUA}
local call, open, batches = redis.call, ${KEY.openBatches('ARGV[2]')}, {unpack(ARGV, 3)}
${GIVE_UP_LUA}
give_up()
`;

/**
 * KEYS[1] the account's subscriptions   ARGV[1] prefix  [2] account  [3] version of the list  [4] how many batches, then each as `first:count`,
 *   then the numbers of changes that others had inserted
 * Closes the batches and makes the subscriptions due that wait for changes. Returns {'confirmed'}; {'stale'} if the list has changed; {'late'} if a
 * batch was given up; {'older'} if another process inserts one of the changes and was first; {'younger'} if it was later; or {'unsafe', numbers…}:
 * readers may have passed these changes of others. `stale`, `late` and `older` give the batches up, so two processes never wait for each
 * other. `younger` and `unsafe` leave them open.
 */
export const CONFIRM = `
local prefix = ARGV[1]
${WHOLE_SLOT_LUA}${NOW_LUA}${RUN_LUA}${LOG_LUA}
local open, key = ${KEY.openBatches('ARGV[2]')}, ${KEY.accountLog('ARGV[2]')}
local list, log = call('HMGET', KEYS[1], 'version', 'run'), call('HMGET', key, 'run', 'from')
local batches = {unpack(ARGV, 5, 4 + ARGV[4])}
${GIVE_UP_LUA}
if list[1] ~= ARGV[3] or list[2] ~= run then return give_up('stale') end
for _, batch in ipairs(batches) do
  local ends = call('ZSCORE', open, batch)
  if not ends or tonumber(ends) <= now or log[1] ~= run then return give_up('late') end
end
local function has(batch, number)
  local first, count = string.match(batch, '^(%d+):(%d+)$')
  return number >= tonumber(first) and number < first + count
end
local unsafe, busy = {'unsafe'}, nil
if #ARGV > 4 + ARGV[4] then
  local passed = call('ZRANGE', ${KEY.givenUpBatches('ARGV[2]')}, 0, -1)
  for _, batch in ipairs(call('ZRANGEBYSCORE', open, '-inf', now)) do passed[#passed + 1] = batch end
  local under_way = call('ZRANGEBYSCORE', open, '(' .. now, '+inf')
  local own = tonumber(string.match(batches[1], '^%d+'))
  for n = 5 + ARGV[4], #ARGV do
    local number = tonumber(ARGV[n])
    local is_safe = number >= tonumber(log[2])
    for _, batch in ipairs(passed) do is_safe = is_safe and not has(batch, number) end
    if not is_safe then unsafe[#unsafe + 1] = ARGV[n] end
    for _, batch in ipairs(under_way) do
      if has(batch, number) then busy = busy == 'older' and busy or number < own and 'older' or 'younger' end
    end
  end
end
if busy == 'older' then return give_up('older') end
if busy then return {busy} end
if #unsafe > 1 then return unsafe end
call('ZREM', open, unpack(batches))
call('HINCRBY', key, 'confirms', 1)
local idle = ${KEY.idleCursors('ARGV[2]')}
local due, score = {}, text_of(now)
for _, id in ipairs(call('SMEMBERS', idle)) do
  due[#due + 1] = score
  due[#due + 1] = id
end
if #due == 0 then return {'confirmed'} end
for n = 1, #due, 1000 do call('ZADD', ${KEY.cursors}, unpack(due, n, math.min(n + 999, #due))) end
call('DEL', idle)
wake()
return {'confirmed'}
`;
