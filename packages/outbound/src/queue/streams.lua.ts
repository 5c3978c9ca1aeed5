import { RUN_LUA } from '@sluice/redis/run.lua';
import { NOW_LUA, TIGHT_LUA } from './clock.lua.ts';

/** Why nothing may be handed to the reader; nil if it may. `absent`: Redis has lost the subscription. */
const STOPPED_LUA = `${NOW_LUA}${RUN_LUA}
local function stopped()
  local f = redis.call('HMGET', KEYS[1], 'stops', 'ends')
  if not f[1] then return 'absent' end
  if f[1] ~= '' then return f[1] end
  if f[2] and f[2] ~= '' and tonumber(f[2]) <= now then return 'ended' end
end

-- A series names the run of Redis and, after it, one life of the stream.
local this_run = string.sub(process, 1, 8) .. string.sub(history, 1, 8) .. '-'
local function series_of(entry) return entry and entry[2][12] end
local function is_of_this_run(series) return string.sub(series, 1, #this_run) == this_run end
`;

/**
 * KEYS[1] the subscription  [2] the stream  [3] the streams of the account   ARGV[1] lifetime, ms  [2] most entries  [3] most bytes
 *   [4] headers  [5] body  [6] a nonce: the name of a new series  [7] subscription  [8] most bytes of the account
 * Each entry has a number and the bytes of all entries up to it, so that a reader sees what was dropped. The oldest entries beyond
 * the limits are dropped, of the account those of its largest stream, but never the newest of a stream. Returns why nothing was stored,
 * or '': 'full' while streams have used their part of Redis. Ids grow within a series only: a server that took over may lack the last
 * entries, and with a slower clock it gives new ones lower ids.
 */
export const APPEND = `${STOPPED_LUA}${TIGHT_LUA}
local why = stopped()
if why then return why end
if is_tight() then return 'full' end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
local number, bytes = 1, #ARGV[4] + #ARGV[5]
local total, series = bytes, series_of(last)
if last then number, total = last[2][2] + 1, last[2][4] + bytes end
if not series or not is_of_this_run(series) then series = this_run .. ARGV[6] end
redis.call('XADD', KEYS[2], '*', 'number', number, 'total', total, 'bytes', bytes, 'headers', ARGV[4], 'body', ARGV[5],
  'series', series)
redis.call('PEXPIRE', KEYS[2], ARGV[1])
while true do
  local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
  local kept = total - first[2][4] + first[2][6]
  local count = number - first[2][2] + 1
  if count == 1 or (count <= tonumber(ARGV[2]) and kept <= tonumber(ARGV[3])) then
    redis.call('ZADD', KEYS[3], kept, ARGV[7])
    break
  end
  redis.call('XDEL', KEYS[2], first[1])
end
redis.call('PEXPIRE', KEYS[3], ARGV[1])

local function stream_of(subscription) return string.sub(KEYS[2], 1, -#ARGV[7] - 1) .. subscription end
local streams, all = redis.call('ZRANGE', KEYS[3], 0, -1, 'WITHSCORES'), 0
for n = 1, #streams, 2 do
  if redis.call('EXISTS', stream_of(streams[n])) == 1 then all = all + streams[n + 1]
  else redis.call('ZREM', KEYS[3], streams[n]) end
end
-- Streams with one entry, which are the largest.
local singles = 0
while all > tonumber(ARGV[8]) do
  local largest = redis.call('ZREVRANGE', KEYS[3], singles, singles)[1]
  if not largest then break end
  local two = redis.call('XRANGE', stream_of(largest), '-', '+', 'COUNT', 2)
  if #two < 2 then singles = singles + 1
  else
    redis.call('XDEL', stream_of(largest), two[1][1])
    redis.call('ZINCRBY', KEYS[3], -two[1][2][6], largest)
    all = all - two[1][2][6]
  end
end
return ''
`;

/**
 * KEYS[1] the subscription  [2] the stream  [3] the streams of the account   ARGV[1] lifetime, ms  [2] id of the last entry that was read
 *   [3] most entries  [4] its series, or '' if it is not known
 * Returns why the stream has ended, or '', and the entries. After a new series has begun, its entries are unread whatever their ids are.
 */
export const READ = `${STOPPED_LUA}
local why = stopped()
if why then return {why, {}} end
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('PEXPIRE', KEYS[3], ARGV[1])
local newest = series_of(redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1])
if ARGV[4] == '' or not newest or newest == ARGV[4] or not is_of_this_run(newest) then
  return {'', redis.call('XRANGE', KEYS[2], '(' .. ARGV[2], '+', 'COUNT', ARGV[3])}
end
local function place_of(id)
  local ms, number = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(number)
end
local after_ms, after_number = place_of(ARGV[2])
local function is_after(id)
  local ms, number = place_of(id)
  return ms > after_ms or ms == after_ms and number > after_number
end
local out = {}
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '-', '+')) do
  if #out < tonumber(ARGV[3]) and (series_of(entry) == newest or is_after(entry[1])) then out[#out + 1] = entry end
end
return {'', out}
`;
