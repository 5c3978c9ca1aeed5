import { CLOCK_NOTED_MS } from './limits.ts';
import { KEY } from './mailbox.lua.ts';

/**
 * All due times are by the clock of Redis. If it is set back, they are too late by as much, and a lost turn would keep its mailbox
 * until then. So all of them are moved back. It follows MAILBOX_LUA. The clock is noted only now and then, so up to
 * CLOCK_NOTED_MS of a jump may go unnoticed.
 */
export const SET_BACK_LUA = `
-- The waits of a mailbox. None ends earlier than planned, because the jump was at least by.
local function move_waits(m, by)
  if m.not_before > now then
    m.not_before = m.not_before - by
    call('HSET', m.hash, 'not_before', m.not_before)
  end
  local waits = call('ZRANGEBYSCORE', m.retry, '(' .. now, '+inf', 'WITHSCORES')
  for n = 1, #waits, 2 do call('ZADD', m.retry, waits[n + 1] - by, waits[n]) end
end

local function notice_set_back(turn_ms)
  local noted = tonumber(call('GET', ${KEY.turnsClock}) or 0)
  if now >= noted and now < noted + ${CLOCK_NOTED_MS} then return end
  call('SET', ${KEY.turnsClock}, string.format('%.0f', now))
  if now >= noted then return end
  for _, id in ipairs(call('ZRANGE', ${KEY.turns}, 0, -1)) do
    local m = open(id)
    if not m then call('ZREM', ${KEY.turns}, id)
    else
      move_waits(m, noted - now)
      -- A turn that lives has its lifetime again.
      if m.token then call('ZADD', ${KEY.turns}, now + turn_ms, id) else schedule(m) end
    end
  end
end
`;
