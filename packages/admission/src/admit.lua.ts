import { ADD_JOB_LUA } from '@sluice/queue/add-job.lua';
import { luaKeys } from '@sluice/redis/keyspace';
import { RUN_LUA } from '@sluice/redis/run.lua';
import { BAD_SIGNATURES_LUA } from './checks/bad-signatures.lua.ts';
import { FIND_DUPLICATES_LUA, REMEMBER_TICKETS_LUA } from './checks/duplicates.lua.ts';
import { COUNT_PLAN_USE_LUA, PLAN_LIMIT_LUA, RATE_LIMIT } from './checks/rate-formula.lua.ts';
import { HELD_LUA, INACTIVE_OR_CHANGED_LUA } from './checks/source-state.lua.ts';
import { VERDICT } from './checks/verdict-codes.ts';

/** The script makes its keys from the prefix in ARGV[1]. */
const KEY = luaKeys('prefix');

/**
 * Admits a whole group and enqueues it in one atomic step, so that no action is admitted without its job. tsc copies no
 * .lua files, so the script is a string.
 *
 * KEYS      the keys of the queue (add-job.lua.ts). Every other key has the same hash tag
 * ARGV[1]   the prefix of every other key (packages/redis, keyspace.ts, names them)
 * ARGV[2]   1 if the backlog is over its limit: no action is admitted
 * ARGV[3]   the limit of bad signatures of one client address in a minute
 * ARGV[4]   the month of the plan's use, such as 2026-11
 * ARGV[5]   the prefix of the queue's job keys     ARGV[6]  the options of its jobs, JSON
 * ARGV[7]   the group's id     ARGV[8]  the time of the ingress, ms since the epoch
 * ARGV[9]   the tickets by source: JSON of AskedSource (admit.ts). It is one argument, because a client encodes each
 *           argument separately, and a group would have hundreds
 * ARGV[10]  the actions for the job: JSON, with a comma between them. It is one string, because Lua interns every string.
 *           Two strings for each action would take most of the script's time
 * ARGV[11]  the same actions packed (queue: packed-actions.ts), or empty. The job contains them if all actions are taken. Packed
 *           actions cannot be divided
 * ARGV[12]  the only run of Redis (run.lua.ts) in which the group may be admitted, or '' for any
 * ARGV[13]  the version of the group (contract: groups.ts)
 *
 * It reads the hash of each source:
 *           version, active, record, fenced_until (ms)           as published (source-directory.ts)
 *           seq   last sequence number                    tat   GCRA's theoretical arrival time (us)
 *           held_until (ms)                               nothing new is admitted before (hold-source.ts)
 * Calls to Redis cost more than all else here. A group in which each action has another source needs two for each.
 *
 * In another run than ARGV[12] it does nothing, and returns the current run. Otherwise:
 * Returns a JSON array of four integers for each ticket, in order. One string costs less to read than many integers.
 * The integers are the verdict (see VERDICT), and for
 *             admitted, duplicate           sequence number, remaining, us until the whole burst is free again
 *             rate_limited                  us to wait, remaining, us until the whole burst is free again
 *             blocked                       us until the end of its minute, 0, 0
 *             the others                    0, remaining, us until the whole burst is free again
 * Behind them is the id of the job, if there is one.
 *
 * `checks/` has the longer checks. The loop over `sources` sets their order.
 * All times are Redis's (TIME), not those of sender or ingress. If Redis's time jumps back, tat is far ahead. The script cuts it to one whole burst and stores that, also for a rejected
 * request. Otherwise each request would cut it again for the length of the jump.
 */
export const ADMIT_LUA = `
if ARGV[12] ~= '' then
  ${RUN_LUA}
  if run ~= ARGV[12] then return run end
end
${ADD_JOB_LUA}
local floor, ceil, max, min, format = math.floor, math.ceil, math.max, math.min, string.format
local prefix, backlog_full, bad_limit = ARGV[1], ARGV[2] == '1', tonumber(ARGV[3])
local sources = cjson.decode(ARGV[9])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local minute = floor(time[1] / 60)
local out, answers = {}, 0

local function answer(verdict, value, remaining, reset)
  out[answers + 1], out[answers + 2], out[answers + 3], out[answers + 4] = verdict, value, remaining, reset
  answers = answers + 4
end

${BAD_SIGNATURES_LUA}
${INACTIVE_OR_CHANGED_LUA}
${HELD_LUA}
${FIND_DUPLICATES_LUA}
${PLAN_LIMIT_LUA}
-- The admitted tickets, in their order.
local taken, sequences, repeated = {}, {}, {}
local function take(ticket, sequence)
  local n = #taken + 1
  taken[n], sequences[n] = ticket, sequence
end

-- The current source.
local source, window, seq, tat, full

local function rate_left()
  return ${RATE_LIMIT.remaining('source.interval')}, ${RATE_LIMIT.reset}
end

local function decide(ticket)
  if ticket.kind == 'r' then return refused(source.id, source.account, ticket.code), 0 end
  local second, name, account = seconds[ticket.timestamp], ticket.name, source.account
  local known = second.seen[name]
  if known then
    repeated[#repeated + 1] = #taken
    take(ticket, known)
    return ${VERDICT.duplicate}, known
  end
  local upsert = ticket.kind == 'u' or ticket.kind == 'i'
  if upsert and over_plan(account, source.plan_limit) then return ${VERDICT.plan_limit}, 0 end
  if full then return ${VERDICT.backlog_full}, 0 end
  if upsert then accepted[account] = (accepted[account] or 0) + 1 end
  seq = max(seq + 1, now)
  local text, fresh = format('%.0f', seq), second.fresh
  second.seen[name] = text
  fresh[#fresh + 1] = name
  fresh[#fresh + 1] = text
  take(ticket, text)
  return ${VERDICT.admitted}, text
end

for _, each in ipairs(sources) do
  source = each
  local id, account, interval = source.id, source.account, source.interval
  local key = ${KEY.source('id')}
  local found = redis.call('HMGET', key, 'version', 'active', 'fenced_until', 'seq', 'tat', 'held_until')
  local fence, inactive = state_of(found, source)
  seq, tat, window = tonumber(found[4] or 0), tonumber(found[5] or 0), interval * source.burst
  full = backlog_full or is_held(found[6])
  local changed = tat > now + window
  tat = ${RATE_LIMIT.cut('tat')}
  for _, ticket in ipairs(source.tickets) do
    local cost = (ticket.kind == 'i' or ticket.kind == 'c') and 0 or interval
    if ticket.kind == 'f' then
      unverified(id, account, ticket.code)
    elseif fence then
      answer(fence, 0, 0, 0)
    elseif ticket.kind == 's' then
      if over_limit(ticket.address) then blocked(id, account, ticket.blocked_code)
      else unverified(id, account, ticket.code) end
    elseif inactive then
      answer(${VERDICT.inactive}, 0, rate_left())
    elseif cost > 0 and ${RATE_LIMIT.wait('cost')} > 0 then
      answer(${VERDICT.rate_limited}, ceil(${RATE_LIMIT.wait('cost')}), rate_left())
    else
      tat, changed = tat + cost, true
      local verdict, value = decide(ticket)
      answer(verdict, value, rate_left())
    end
  end
  if changed then redis.call('HSET', key, 'seq', format('%.0f', seq), 'tat', format('%.0f', tat)) end
end

${REMEMBER_TICKETS_LUA}
${COUNT_PLAN_USE_LUA}
local function taken_actions()
  if #taken == asked and ARGV[11] ~= '' then return '"packed":"' .. ARGV[11] .. '"' end
  if #taken == asked then return '"actions":[' .. ARGV[10] .. ']' end
  local actions = {}
  for n, ticket in ipairs(taken) do actions[n] = string.sub(ARGV[10], ticket.from, ticket.to) end
  return '"actions":[' .. table.concat(actions, ',') .. ']'
end

if #taken > 0 then
  local order = '"sequences":[' .. table.concat(sequences, ',') .. '],"repeated":[' .. table.concat(repeated, ',') .. ']'
  -- One expression copies the actions once. table.concat would copy them several times.
  local group = '{"v":' .. ARGV[13] .. ',"group_id":"' .. ARGV[7] .. '",' .. order .. ',' .. taken_actions() .. '}'
  out[answers + 1] = add_job(KEYS, ARGV[5], ARGV[6], ARGV[8], group)
end
return '[' .. table.concat(out, ',') .. ']'
`;
