import { VERDICT } from './verdict-codes.ts';

/**
 * Lua: `state_of(found, source)` compares a source as published with the source that the ingress verified the request with.
 * It returns two values: the verdict on every request if the source is changing or has changed, else nil; and whether the
 * source is inactive. `found` has version, active and fenced_until.
 */
export const INACTIVE_OR_CHANGED_LUA = `
local function state_of(found, source)
  local fence, overlap_end = nil, source.overlap_end
  if found[3] then fence = tonumber(found[3]) * 1000 > now and ${VERDICT.changing} or ${VERDICT.stale}
  elseif found[1] ~= source.version or overlap_end > 0 and now >= overlap_end * 1000 then fence = ${VERDICT.stale} end
  return fence, found[2] ~= '1'
end
`;

/** How long a source is held. Workers hold it again while its actions wait. Milliseconds. */
export const HELD_MS = 10_000;

/**
 * Lua: `is_held(until_ms)` tells whether a source is held at `now` (us). Its actions wait for the publication of their records, and more of
 * them would fill the backlog of the shard, which closes it for all sources. A time that is further away was set before the clock was
 * set back.
 */
export const HELD_LUA = `
local function is_held(until_ms)
  local left = until_ms and until_ms * 1000 - now or 0
  return left > 0 and left <= ${HELD_MS * 1000}
end
`;
