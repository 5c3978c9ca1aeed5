import { CLOCK_NOTED_MS, CLOCK_STEP_MS } from './limits.ts';
import { KEY } from './mailbox.lua.ts';

/**
 * All due times are by the clock of Redis. If it is set back, they are too late by as much, and a lost turn would keep its mailbox
 * until then. So those of all mailboxes in turns are moved back. It follows MAILBOX_LUA. The clock is noted only now and then, so up
 * to CLOCK_NOTED_MS of a jump may go unnoticed. Each script that stores a wait calls notice_set_back first. So a wait that is moved
 * was stored before the jump.
 */
export const SET_BACK_LUA = `
-- The waits of a mailbox. The jump was at least by, so each ends as planned or later. After small corrections that were
-- ignored, it may end earlier by ${CLOCK_STEP_MS} ms.
local function move_waits(m, by)
  if m.not_before > now then
    m.not_before = m.not_before - by
    call('HSET', m.hash, 'not_before', m.not_before)
  end
  local waits = call('ZRANGEBYSCORE', m.retry, '(' .. now, '+inf', 'WITHSCORES')
  for n = 1, #waits, 2 do call('ZADD', m.retry, waits[n + 1] - by, waits[n]) end
  local urgent = call('ZRANGEBYSCORE', m.retry, '-inf', string.format('(-%.0f', now), 'WITHSCORES')
  for n = 1, #urgent, 2 do call('ZADD', m.retry, math.min(urgent[n + 1] + by, URGENT_SCORE), urgent[n]) end
end

local function move_back(id, by, turn_ms)
  local m = open(id)
  if not m then return call('ZREM', ${KEY.turns}, id) end
  move_waits(m, by)
  -- A turn that lives has its lifetime again.
  if m.token then call('ZADD', ${KEY.turns}, now + turn_ms, id)
  else schedule(m) end
end

local function notice_set_back(turn_ms)
  local noted = tonumber(call('GET', ${KEY.turnsClock}) or 0)
  -- An installation without messages needs no key. A key that is made while its slot moves to another master would stop the move.
  if noted == 0 and call('EXISTS', ${KEY.turns}) == 0 then return end
  -- The noted time stays during small corrections, so that several of them add up.
  if now > noted - ${CLOCK_STEP_MS} and now < noted + ${CLOCK_NOTED_MS} then return end
  if now < noted then
    for _, id in ipairs(call('ZRANGE', ${KEY.turns}, 0, -1)) do
      -- A claim reports a mailbox that cannot be read.
      if not pcall(move_back, id, noted - now, turn_ms) then call('ZADD', ${KEY.turns}, now, id) end
    end
  end
  call('SET', ${KEY.turnsClock}, string.format('%.0f', now))
end
`;
