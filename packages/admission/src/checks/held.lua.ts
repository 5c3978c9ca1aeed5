/** How long a source is held. Workers hold it again while its actions wait. Milliseconds. */
export const HELD_MS = 10_000;

/**
 * Lua: `is_held(until_ms)` tells whether a source is held at `now` (us). Its actions wait for the telling of their records, and more of
 * them would fill the backlog of the shard, which closes it for all sources. A time that is further away was set before the clock was
 * set back.
 */
export const HELD_LUA = `
local function is_held(until_ms)
  local left = until_ms and until_ms * 1000 - now or 0
  return left > 0 and left <= ${HELD_MS * 1000}
end
`;
