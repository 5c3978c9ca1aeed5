import { luaKeys } from '@sluice/redis/keyspace';
import { VERDICT } from './verdict-codes.ts';

/** The maximum number of separate rows for unverified requests of one source in a minute, and for ignored ones (docs/limits.md). */
export const UNVERIFIED_ROWS_PER_MINUTE = 100;

const KEY = luaKeys('prefix');

/**
 * Lua: verdicts on requests without a valid signature. `unverified` gives a row of the log, `blocked` only counts,
 * `refused` is the verdict on a signed request without an action, `over_limit` counts the bad signatures of a client address in a minute. Needs `prefix`, `minute`, `now`, `bad_limit`
 * and `answer`.
 */
export const BAD_SIGNATURES_LUA = `
local function count(key, seconds)
  local n = redis.call('INCR', key)
  if n == 1 then redis.call('EXPIRE', key, seconds) end
  return n
end

local function fold(id, account, code)
  redis.call('HINCRBY', ${KEY.folded('id', 'minute')}, code, 1)
  redis.call('ZADD', ${KEY.foldedIndex}, minute, id .. '|' .. account .. '|' .. minute)
end

-- Each gets a row up to the limit. Beyond it the minute's counter row counts it.
local function unverified(id, account, code)
  if count(${KEY.unverified('id', 'minute')}, 120) > ${UNVERIFIED_ROWS_PER_MINUTE} then
    fold(id, account, code)
    answer(${VERDICT.unverified_folded}, 0, 0, 0)
  else
    answer(${VERDICT.unverified}, 0, 0, 0)
  end
end

-- The minute's counter row counts it. It never gets a separate row.
local function blocked(id, account, code)
  fold(id, account, code)
  answer(${VERDICT.blocked}, (minute + 1) * 60000000 - now, 0, 0)
end

-- Signed, so it does not use up the rows of those that are not.
local function refused(id, account, code)
  if not code or count(${KEY.ignored('id', 'minute')}, 120) <= ${UNVERIFIED_ROWS_PER_MINUTE} then
    return ${VERDICT.refused}
  end
  fold(id, account, code)
  return ${VERDICT.refused_folded}
end

local function over_limit(address)
  if address == '' then return false end
  return count(${KEY.badSignatures('address', 'minute')}, 120) > bad_limit
end
`;
