import { NOW_LUA } from './clock.lua.ts';

/** Why nothing may be handed to the reader; nil if it may. `absent`: Redis has lost the mailbox. */
const STOPPED_LUA = `${NOW_LUA}
local function stopped()
  local f = redis.call('HMGET', KEYS[1], 'stops', 'ends')
  if not f[1] then return 'absent' end
  if f[1] ~= '' then return f[1] end
  if f[2] and f[2] ~= '' and tonumber(f[2]) <= now then return 'ended' end
end
`;

/**
 * KEYS[1] the mailbox  [2] the stream   ARGV[1] lifetime, ms  [2] most entries  [3] most bytes  [4] headers  [5] body
 * Each entry has a number and the bytes of all entries up to it, so that a reader sees what was dropped. The oldest entries beyond
 * the limits are dropped. Returns why nothing was stored, or ''.
 */
export const APPEND = `${STOPPED_LUA}
local why = stopped()
if why then return why end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
local number, bytes = 1, #ARGV[4] + #ARGV[5]
local total = bytes
if last then number, total = last[2][2] + 1, last[2][4] + bytes end
redis.call('XADD', KEYS[2], '*', 'number', number, 'total', total, 'bytes', bytes, 'headers', ARGV[4], 'body', ARGV[5])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
while true do
  local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
  local kept = total - first[2][4] + first[2][6]
  local count = number - first[2][2] + 1
  if count == 1 or (count <= tonumber(ARGV[2]) and kept <= tonumber(ARGV[3])) then return '' end
  redis.call('XDEL', KEYS[2], first[1])
end
`;

/**
 * KEYS[1] the mailbox  [2] the stream   ARGV[1] lifetime, ms  [2] id of the last entry that was read  [3] most entries
 * Returns why the stream has ended, or '', and the entries.
 */
export const READ = `${STOPPED_LUA}
local why = stopped()
if why then return {why, {}} end
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return {'', redis.call('XRANGE', KEYS[2], '(' .. ARGV[2], '+', 'COUNT', ARGV[3])}
`;
