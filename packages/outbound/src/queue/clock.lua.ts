import { TIGHT_SHARE } from './limits.ts';

/**
 * The first line of a script that also runs while Redis is full. Without it, deliveries could not be settled, and would be repeated. A change of a subscription
 * needs little memory, and may be what stops its messages.
 */
export const EVEN_WHEN_FULL = '#!lua flags=allow-oom';

/** Whether Redis uses more of its maxmemory than streams may. */
export const TIGHT_LUA = `
local function is_tight()
  local memory = redis.pcall('INFO', 'memory')
  if type(memory) ~= 'string' then return false end
  local most = tonumber(string.match(memory, '[\\r\\n]maxmemory:(%d+)')) or 0
  return most > 0 and tonumber(string.match(memory, 'used_memory:(%d+)')) > most * ${TIGHT_SHARE}
end
`;

/** The time of Redis in milliseconds since the Unix epoch. */
export const NOW_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Ends the script before it changes anything while a slot moves to another server of a Cluster by MIGRATE. Some of its keys are at
 * one server then, and some at the other: what a script does not find there may exist, and a key that it makes would stop the move.
 * At both servers Redis rejects a command with two keys that it does not have. It rejects nothing else because of them. A Cluster
 * client sends a script again that got TRYAGAIN.
 */
export const WHOLE_SLOT_LUA = `
if type(redis.pcall('EXISTS', prefix .. ':none', prefix .. ':nor-this')) == 'table' then
  return redis.error_reply('TRYAGAIN The slot of this shard is moving')
end
`;
