/** Reads the value that SUBSCRIBED_LUA describes. */
export const ASKED_LUA = `
-- '1', '0', or nil if it was not stored in this run.
local function asked_in(value)
  local its_run, asks = string.match(value or '', '^(%S*) ([01])$')
  return its_run == run and asks or nil
end
`;

/**
 * Whether an account asks for events: `<run> 1` or `<run> 0`. An account that is wrongly thought not to ask loses changes of
 * events, so 0 is stored only if no change is running and none was published since MongoDB was read. Otherwise the key is absent, and
 * MongoDB is asked.
 */
export const SUBSCRIBED_LUA = `${ASKED_LUA}
-- asks: '1' or '0', as MongoDB was read after the number of changes was reads_at.
local function note_asks(key, asks, is_certain)
  if asks == '1' or is_certain then redis.call('SET', key, run .. ' ' .. asks) else redis.call('DEL', key) end
end
local function is_current(reads_at)
  return reads_at == (redis.call('HGET', KEYS[1], 'changes') or '0') and redis.call('HEXISTS', KEYS[1], 'fenced_until') == 0
end
`;
