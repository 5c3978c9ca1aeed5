import { GROUP_VERSION } from '@sluice/contract/groups';
import { ADD_JOB_LUA } from '@sluice/queue/add-job.lua';
import { luaKeys } from '@sluice/shards/keyspace';

/**
 * Admits a whole group and enqueues it in one atomic step, so that no action is admitted without its job. tsc copies no
 * .lua files, so the script is a string.
 *
 * KEYS      the keys of the queue (add-job.lua.ts). Every other key has the same hash tag
 * ARGV[1]   the prefix of every other key (packages/shards, keyspace.ts, names them)
 * ARGV[2]   1 if the backlog is over its limit: no action is admitted
 * ARGV[3]   the limit of bad signatures of one client address in a minute
 * ARGV[4]   the month of the plan's use, such as 2026-11
 * ARGV[5]   the prefix of the queue's job keys     ARGV[6]  the options of its jobs, JSON
 * ARGV[7]   the group's id     ARGV[8]  the time of the ingress, ms since the epoch
 * ARGV[9]   the tickets by source: JSON of AskedSource (admit.ts). It is one argument, because a client encodes each
 *           argument separately, and a group would have hundreds
 * ARGV[10]  the actions for the job: JSON, with a comma between them. It is one string, because Lua interns every string.
 *           Two strings for each action would take most of the script's time
 *
 * It reads the hash of each source:
 *           version, active, record, fenced_until (ms)           as published (source-directory.ts)
 *           seq   last sequence number                    tat   GCRA's theoretical arrival time (us)
 * Calls to Redis cost more than all else here. A group in which each action has another source needs two for each.
 *
 * Returns a JSON array of four integers for each ticket, in order. One string costs less to read than many integers.
 * The integers are the verdict (see VERDICT), and for
 *             admitted, duplicate           sequence number, remaining, us until the whole burst is free again
 *             rate_limited                  us to wait, remaining, us until the whole burst is free again
 *             blocked                       us until the end of its minute, 0, 0
 *             the others                    0, remaining, us until the whole burst is free again
 *
 * The design's section Answers has the order of the checks. All times are Redis's (TIME), not those of sender or ingress.
 * If Redis's time jumps back, tat is far ahead. The script cuts it to one whole burst and stores that, also for a rejected
 * request. Otherwise each request would cut it again for the length of the jump.
 */
export const VERDICT = {
  admitted: 0,
  duplicate: 1,
  stale: 2,
  changing: 3,
  inactive: 4,
  rate_limited: 5,
  plan_limit: 6,
  backlog_full: 7,
  refused: 8,
  unverified: 9,
  unverified_folded: 10,
  blocked: 11,
} as const;

/** A signed request is remembered by this many hex digits of its signature, followed by its source's id. */
export const SEEN_SIGNATURE_DIGITS = 16;

/** The maximum number of separate rows for unverified requests of one source in a minute (design: guarantee 5). */
export const UNVERIFIED_ROWS_PER_MINUTE = 100;

/** The script makes its keys from the prefix in ARGV[1]. */
const KEY = luaKeys('prefix');

export const ADMIT_LUA = `
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

local function over_limit(address)
  if address == '' or bad_limit < 0 then return false end
  return count(${KEY.badSignatures('address', 'minute')}, 120) > bad_limit
end

-- Looks up duplicates, with one call for each second in which tickets were signed, for all sources together.
-- seconds[timestamp].seen[name] is the sequence number, or false. from and to are an action's part of ARGV[10].
local seconds, asked, asked_bytes = {}, 0, 0
for _, source in ipairs(sources) do
  for _, ticket in ipairs(source.tickets) do
    if ticket.bytes then
      local second = seconds[ticket.timestamp]
      if not second then
        second = { names = {}, fresh = {}, seconds = ticket.seconds }
        seconds[ticket.timestamp] = second
      end
      ticket.name = ticket.signature .. source.id
      second.names[#second.names + 1] = ticket.name
      ticket.from, ticket.to = asked_bytes + 1, asked_bytes + ticket.bytes
      asked, asked_bytes = asked + 1, ticket.to + 1
    end
  end
end
for timestamp, second in pairs(seconds) do
  local names, seen = second.names, {}
  for n, sequence in ipairs(redis.call('HMGET', ${KEY.seen('timestamp')}, unpack(names))) do
    seen[names[n]] = sequence
  end
  second.seen = seen
end

-- The admitted tickets, in their order.
local taken, sequences, repeated = {}, {}, {}
local function take(ticket, sequence)
  local n = #taken + 1
  taken[n], sequences[n] = ticket, sequence
end

-- The plan's use, by account.
local used, accepted = {}, {}
local function plan_key(account) return ${KEY.planUse('account', 'ARGV[4]')} end
local function over_plan(account, limit)
  if limit < 0 then return false end
  used[account] = used[account] or tonumber(redis.call('GET', plan_key(account)) or 0)
  return used[account] + (accepted[account] or 0) >= limit
end

-- The current source.
local source, window, seq, tat

local function rate_left()
  return floor((now + window - tat) / source.interval), ceil(tat - now)
end

local function decide(ticket)
  if ticket.kind == 'r' then return ${VERDICT.refused}, 0 end
  local second, name, account = seconds[ticket.timestamp], ticket.name, source.account
  local known = second.seen[name]
  if known then
    repeated[#repeated + 1] = #taken
    take(ticket, known)
    return ${VERDICT.duplicate}, known
  end
  local upsert = ticket.kind == 'u' or ticket.kind == 'i'
  if upsert and over_plan(account, source.plan_limit) then return ${VERDICT.plan_limit}, 0 end
  if backlog_full then return ${VERDICT.backlog_full}, 0 end
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
  local id, account, interval, overlap_end = source.id, source.account, source.interval, source.overlap_end
  local key = ${KEY.source('id')}
  local found = redis.call('HMGET', key, 'version', 'active', 'fenced_until', 'seq', 'tat')
  local fence = nil
  if found[3] then fence = tonumber(found[3]) * 1000 > now and ${VERDICT.changing} or ${VERDICT.stale}
  elseif found[1] ~= source.version or overlap_end > 0 and now >= overlap_end * 1000 then fence = ${VERDICT.stale} end
  local active = found[2] == '1'
  seq, tat, window = tonumber(found[4] or 0), tonumber(found[5] or 0), interval * source.burst
  local changed = tat > now + window
  tat = max(now, min(tat, now + window))
  for _, ticket in ipairs(source.tickets) do
    local cost = (ticket.kind == 'i' or ticket.kind == 'c') and 0 or interval
    if ticket.kind == 'f' then
      unverified(id, account, ticket.code)
    elseif fence then
      answer(fence, 0, 0, 0)
    elseif ticket.kind == 'b' then
      blocked(id, account, ticket.blocked_code)
    elseif ticket.kind == 's' then
      if over_limit(ticket.address) then blocked(id, account, ticket.blocked_code)
      else unverified(id, account, ticket.code) end
    elseif not active then
      answer(${VERDICT.inactive}, 0, rate_left())
    elseif cost > 0 and tat + cost - window > now then
      answer(${VERDICT.rate_limited}, ceil(tat + cost - window - now), rate_left())
    else
      tat, changed = tat + cost, true
      local verdict, value = decide(ticket)
      answer(verdict, value, rate_left())
    end
  end
  if changed then redis.call('HSET', key, 'seq', format('%.0f', seq), 'tat', format('%.0f', tat)) end
end

for timestamp, second in pairs(seconds) do
  if #second.fresh > 0 then
    local seen_key = ${KEY.seen('timestamp')}
    redis.call('HSET', seen_key, unpack(second.fresh))
    redis.call('EXPIRE', seen_key, second.seconds, 'NX')
  end
end

for account, upserts in pairs(accepted) do
  if redis.call('INCRBY', plan_key(account), upserts) == upserts then
    redis.call('EXPIRE', plan_key(account), 40 * 24 * 3600)
  end
end

local function taken_actions()
  if #taken == asked then return ARGV[10] end
  local actions = {}
  for n, ticket in ipairs(taken) do actions[n] = string.sub(ARGV[10], ticket.from, ticket.to) end
  return table.concat(actions, ',')
end

if #taken > 0 then
  local order = '"sequences":[' .. table.concat(sequences, ',') .. '],"repeated":[' .. table.concat(repeated, ',') .. ']'
  -- One expression copies the actions once. table.concat would copy them several times.
  local group = '{"v":${GROUP_VERSION},"group_id":"' .. ARGV[7] .. '",' .. order .. ',"actions":[' .. taken_actions() .. ']}'
  add_job(KEYS, ARGV[5], ARGV[6], ARGV[8], group)
end
return '[' .. table.concat(out, ',') .. ']'
`;
