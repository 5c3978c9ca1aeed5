import { GROUP_VERSION } from '@sluice/contract/groups';
import { ADD_JOB_LUA, JOB_KEYS } from '@sluice/queue/add-job.lua';

/**
 * The admission of a whole group, and its way into the queue, in one step: what is admitted is enqueued, and neither is
 * there without the other. tsc copies no .lua files, hence a string.
 *
 * KEYS[1..] those of the queue (add-job.lua.ts), then for each source its hash:
 *           version, active, record, fenced_until (ms), fences   as published (source-directory.ts)
 *           seq   last sequence number                    tat   GCRA's theoretical arrival time (us)
 * ARGV[1]   the prefix of every other key (same hash tag)
 * ARGV[2]   1 when the backlog is over its limit: no action is admitted
 * ARGV[3]   bad signatures a minute that one client address may send
 * ARGV[4]   what the keys of the queue's jobs begin with     ARGV[5]  the options of its jobs, JSON
 * ARGV[6]   the group's id     ARGV[7]  the time of the ingress, ms since the epoch
 * then for each source:
 *           id, account, version as cached, emission interval (us), burst, key of the plan's use, plan limit (-1: none),
 *           number of tickets, and for each ticket its kind with what the kind needs:
 *             u  upsert, a  other action, i  imported upsert (costs no rate):
 *                                           timestamp, signature (16 hex digits), seconds to remember it,
 *                                           and what the job holds of it: JSON without the brace that opens it
 *             r  refused though signed      (it still costs the source's rate)
 *             f  refused, not signed:       code
 *             s  refused, badly signed:     code, client address ('' where it is not to be counted)
 *
 * Returns a JSON array (one string costs less to read than as many integers) of four integers for each ticket, in
 * order: verdict (see VERDICT), and for
 *             admitted, duplicate           sequence number, remaining, us until the whole burst is free again
 *             rate_limited                  us to wait, remaining, us until the whole burst is free again
 *             the others                    0, remaining, us until the whole burst is free again
 *
 * Order of the checks: design, Answers. All times are Redis's own (TIME): sender's and ingress's clocks have no say.
 * A Redis time that jumped back leaves tat far ahead; it is cut to one whole burst, and kept so: a refusal must not
 * leave it for the next request to be cut again, for as long as the jump was.
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
  blocked_folded: 12,
} as const;

/** Refused unverified requests of one source that get a row of their own in a minute (design: guarantee 5). */
export const UNVERIFIED_ROWS_PER_MINUTE = 100;

export const ADMIT_LUA = `
${ADD_JOB_LUA}
local prefix, backlog_full, bad_limit = ARGV[1], ARGV[2] == '1', tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local minute = math.floor(time[1] / 60)
local at, out, rows = 7, {}, {}

local function next_arg()
  at = at + 1
  return ARGV[at]
end

local function answer(verdict, value, remaining, reset)
  local n = #out
  out[n + 1], out[n + 2], out[n + 3], out[n + 4] = verdict, value, remaining, reset
end

local function count(key, seconds)
  local n = redis.call('INCR', key)
  if n == 1 then redis.call('EXPIRE', key, seconds) end
  return n
end

-- One row each up to the limit; beyond it the minute's counter row.
local function unverified(id, account, code, blocked)
  local verdict = blocked and ${VERDICT.blocked} or ${VERDICT.unverified}
  if count(prefix .. ':unverified:' .. id .. ':' .. minute, 120) > ${UNVERIFIED_ROWS_PER_MINUTE} then
    if blocked then code = 'too_many_bad_signatures' end
    redis.call('HINCRBY', prefix .. ':folded:' .. id .. ':' .. minute, code, 1)
    redis.call('ZADD', prefix .. ':folded', minute, id .. '|' .. account .. '|' .. minute)
    verdict = verdict + 1
  end
  answer(verdict, 0, 0, 0)
end

local function next_ticket(id)
  local kind = next_arg()
  if kind == 'r' then return { kind = kind } end
  if kind == 'f' then return { kind = kind, code = next_arg() } end
  if kind == 's' then return { kind = kind, code = next_arg(), address = next_arg() } end
  local seen_key = prefix .. ':seen:' .. id .. ':' .. next_arg()
  return { kind = kind, seen_key = seen_key, signature = next_arg(), seconds = next_arg(), row = next_arg() }
end

-- The sequence numbers (or false) of all that the tickets may repeat: a call for each second in which some were signed,
-- as a call for each ticket is what most of the script's time would go into.
local function read_seen(tickets)
  local asked, seen = {}, {}
  for _, ticket in ipairs(tickets) do
    if ticket.seen_key then
      local signatures = asked[ticket.seen_key] or {}
      signatures[#signatures + 1] = ticket.signature
      asked[ticket.seen_key] = signatures
    end
  end
  for seen_key, signatures in pairs(asked) do
    local sequences = {}
    for n, sequence in ipairs(redis.call('HMGET', seen_key, unpack(signatures))) do
      sequences[signatures[n]] = sequence
    end
    seen[seen_key] = sequences
  end
  return seen
end

local function enqueue(ticket, sequence, repeated)
  rows[#rows + 1] = '{"sequence":' .. sequence .. (repeated and ',"repeated":true,' or ',') .. ticket.row
end

local function write_seen(fresh)
  for seen_key, admitted in pairs(fresh) do
    redis.call('HSET', seen_key, unpack(admitted.fields))
    redis.call('EXPIRE', seen_key, admitted.seconds, 'NX')
  end
end

for i = ${JOB_KEYS} + 1, #KEYS do
  local key = KEYS[i]
  local id, account, version = next_arg(), next_arg(), next_arg()
  local interval, burst = tonumber(next_arg()), tonumber(next_arg())
  local plan_key, plan_limit, tickets = next_arg(), tonumber(next_arg()), {}
  for n = 1, tonumber(next_arg()) do tickets[n] = next_ticket(id) end
  local found = redis.call('HMGET', key, 'version', 'active', 'fenced_until', 'seq', 'tat')
  local fence = nil
  if found[3] then fence = tonumber(found[3]) * 1000 > now and ${VERDICT.changing} or ${VERDICT.stale}
  elseif found[1] ~= version then fence = ${VERDICT.stale} end
  local active, seq, tat = found[2] == '1', tonumber(found[4] or 0), tonumber(found[5] or 0)
  local window = interval * burst
  local cut = tat > now + window
  tat = math.max(now, math.min(tat, now + window))
  local used, accepted, spent = nil, 0, false

  local function rate_left()
    return math.floor((now + window - tat) / interval), math.ceil(tat - now)
  end

  local function over_plan()
    if plan_limit < 0 then return false end
    used = used or tonumber(redis.call('GET', plan_key) or 0)
    return used + accepted >= plan_limit
  end

  local seen, fresh = active and not fence and read_seen(tickets), {}

  local function remember(ticket, text)
    local admitted = fresh[ticket.seen_key] or { fields = {}, seconds = ticket.seconds }
    local fields = admitted.fields
    fields[#fields + 1] = ticket.signature
    fields[#fields + 1] = text
    fresh[ticket.seen_key] = admitted
    seen[ticket.seen_key][ticket.signature] = text
  end

  local function decide(ticket)
    if ticket.kind == 'r' then return ${VERDICT.refused}, 0 end
    local known = seen[ticket.seen_key][ticket.signature]
    if known then
      enqueue(ticket, known, true)
      return ${VERDICT.duplicate}, known
    end
    local upsert = ticket.kind == 'u' or ticket.kind == 'i'
    if upsert and over_plan() then return ${VERDICT.plan_limit}, 0 end
    if backlog_full then return ${VERDICT.backlog_full}, 0 end
    if upsert then accepted = accepted + 1 end
    seq = math.max(seq + 1, now)
    local text = string.format('%.0f', seq)
    remember(ticket, text)
    enqueue(ticket, text, false)
    return ${VERDICT.admitted}, text
  end

  for _, ticket in ipairs(tickets) do
    local cost = ticket.kind == 'i' and 0 or interval
    if ticket.kind == 'f' then
      unverified(id, account, ticket.code, false)
    elseif fence then
      answer(fence, 0, 0, 0)
    elseif ticket.kind == 's' then
      local address = ticket.address
      local blocked = address ~= '' and bad_limit >= 0 and count(prefix .. ':bad-signatures:' .. address .. ':' .. minute, 120) > bad_limit
      unverified(id, account, ticket.code, blocked)
    elseif not active then
      answer(${VERDICT.inactive}, 0, rate_left())
    elseif cost > 0 and tat + cost - window > now then
      answer(${VERDICT.rate_limited}, math.ceil(tat + cost - window - now), rate_left())
    else
      tat, spent = tat + cost, true
      local verdict, value = decide(ticket)
      answer(verdict, value, rate_left())
    end
  end

  write_seen(fresh)
  if spent or cut then redis.call('HSET', key, 'seq', string.format('%.0f', seq), 'tat', string.format('%.0f', tat)) end
  if accepted > 0 and redis.call('INCRBY', plan_key, accepted) == accepted then
    redis.call('EXPIRE', plan_key, 40 * 24 * 3600)
  end
end
if #rows > 0 then
  local head = '{"v":${GROUP_VERSION},"group_id":"' .. ARGV[6] .. '","actions":['
  add_job(KEYS, ARGV[4], ARGV[5], ARGV[7], head .. table.concat(rows, ',') .. ']}')
end
return '[' .. table.concat(out, ',') .. ']'
`;
