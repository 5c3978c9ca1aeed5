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
