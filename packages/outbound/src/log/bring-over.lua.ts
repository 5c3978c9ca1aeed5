/**
 * Mailboxes of 0.2.0: copies of messages in Redis, and of a full mailbox in `webhook_overflow`. An entry is the text
 * `number|change|message|kind|pushed at|redelivery|attempts|first attempt|record`, and the number has 12 digits.
 */
const KEYS_LUA = `
local prefix, id = ARGV[1], ARGV[2]
local function key_of(part) return prefix .. ':mailbox-' .. part .. ':' .. id end
local call = redis.call
local function count()
  return call('LLEN', key_of('new')) + call('LLEN', key_of('tail')) + call('ZCARD', key_of('retry')) + call('HLEN', key_of('taken')) + call('ZCARD', key_of('held'))
end
`;

/**
 * KEYS[1] mailbox   ARGV[1] prefix  [2] subscription
 * Returns false without a mailbox of 0.2.0, or {state of the receiver or '', last number, entries in Redis, first and last number in MongoDB or '', era}.
 */
export const READ_MAILBOX = `${KEYS_LUA}
local f = call('HMGET', KEYS[1], 'era', 'state', 'next', 'over_from', 'over_to')
if not f[1] then return false end
local entries = {}
local function add(found) for _, entry in ipairs(found) do entries[#entries + 1] = entry end end
add(call('LRANGE', key_of('new'), 0, -1))
add(call('LRANGE', key_of('tail'), 0, -1))
add(call('ZRANGE', key_of('retry'), 0, -1))
add(call('HVALS', key_of('taken')))
-- Before the entry stands its record, for the order.
for _, held in ipairs(call('ZRANGE', key_of('held'), 0, -1)) do entries[#entries + 1] = string.sub(held, #string.match(held, '^[^|]*|') + 1) end
return {f[2] or '', f[3] or '0', entries, f[4] or '', f[5] or '', f[1]}
`;

/** KEYS[1] mailbox   ARGV[1] prefix  [2] subscription  [3] last number  [4] how many entries   Returns 1, or 0 if the mailbox has changed since. */
export const REMOVE_MAILBOX = `${KEYS_LUA}
if (call('HGET', KEYS[1], 'next') or '0') ~= ARGV[3] or count() ~= tonumber(ARGV[4]) then return 0 end
for _, part in ipairs({'new', 'tail', 'retry', 'taken', 'held', 'heads', 'ids', 'discarded'}) do call('DEL', key_of(part)) end
call('ZREM', prefix .. ':turns', id)
call('HDEL', KEYS[1], 'era', 'next', 'token', 'over', 'over_from', 'over_to', 'over_count', 'over_epoch', 'loaded_to', 'discarded_to', 'dropped',
  'ids_mark', 'ids_marked_at', 'ids_cursor', 'state', 'probing', 'last_probed', 'not_before', 'fresh_from')
return 1
`;
