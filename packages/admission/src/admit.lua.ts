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
 * ARGV[8]   what is asked, source by source: JSON of AskedSource (admit.ts). One argument, as a client encodes each
 *           argument apart, and a group would have hundreds
 * ARGV[9]   what the job will hold of each action: JSON, a comma between them. One string, as Lua keeps every string
 *           only once: to make two of each action is what most of the script's time would go into
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
local floor, ceil, max, min, format = math.floor, math.ceil, math.max, math.min, string.format
local prefix, backlog_full, bad_limit = ARGV[1], ARGV[2] == '1', tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local minute = floor(time[1] / 60)
local out, answers = {}, 0
local asked, asked_bytes, taken = 0, 0, {}
local sequences, repeated = {}, {}

local function answer(verdict, value, remaining, reset)
  out[answers + 1], out[answers + 2], out[answers + 3], out[answers + 4] = verdict, value, remaining, reset
  answers = answers + 4
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

-- Where an action's part of ARGV[9] is, and the key of those signed in the same second.
local function place(ticket, id)
  ticket.seen_key = prefix .. ':seen:' .. id .. ':' .. ticket.timestamp
  ticket.from, ticket.to = asked_bytes + 1, asked_bytes + ticket.bytes
  asked, asked_bytes = asked + 1, ticket.to + 1
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

local function take(ticket, sequence)
  local n = #taken + 1
  taken[n], sequences[n] = ticket, sequence
end

local function taken_actions()
  if #taken == asked then return ARGV[9] end
  local actions = {}
  for n, ticket in ipairs(taken) do actions[n] = string.sub(ARGV[9], ticket.from, ticket.to) end
  return table.concat(actions, ',')
end

local function write_seen(fresh)
  for seen_key, admitted in pairs(fresh) do
    redis.call('HSET', seen_key, unpack(admitted.fields))
    redis.call('EXPIRE', seen_key, admitted.seconds, 'NX')
  end
end

for i, source in ipairs(cjson.decode(ARGV[8])) do
  local key, id, account, overlap_end = KEYS[${JOB_KEYS} + i], source.id, source.account, source.overlap_end
  local interval, burst, plan_key, plan_limit = source.interval, source.burst, source.plan_key, source.plan_limit
  local tickets = source.tickets
  for _, ticket in ipairs(tickets) do
    if ticket.bytes then place(ticket, id) end
  end
  local found = redis.call('HMGET', key, 'version', 'active', 'fenced_until', 'seq', 'tat')
  local fence = nil
  if found[3] then fence = tonumber(found[3]) * 1000 > now and ${VERDICT.changing} or ${VERDICT.stale}
  elseif found[1] ~= source.version or overlap_end > 0 and now >= overlap_end * 1000 then fence = ${VERDICT.stale} end
  local active, seq, tat = found[2] == '1', tonumber(found[4] or 0), tonumber(found[5] or 0)
  local window = interval * burst
  local cut = tat > now + window
  tat = max(now, min(tat, now + window))
  local used, accepted, spent = nil, 0, false

  local function rate_left()
    return floor((now + window - tat) / interval), ceil(tat - now)
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
      repeated[#repeated + 1] = #taken
      take(ticket, known)
      return ${VERDICT.duplicate}, known
    end
    local upsert = ticket.kind == 'u' or ticket.kind == 'i'
    if upsert and over_plan() then return ${VERDICT.plan_limit}, 0 end
    if backlog_full then return ${VERDICT.backlog_full}, 0 end
    if upsert then accepted = accepted + 1 end
    seq = max(seq + 1, now)
    local text = format('%.0f', seq)
    remember(ticket, text)
    take(ticket, text)
    return ${VERDICT.admitted}, text
  end

  for _, ticket in ipairs(tickets) do
    local cost = (ticket.kind == 'i' or ticket.kind == 'c') and 0 or interval
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
      answer(${VERDICT.rate_limited}, ceil(tat + cost - window - now), rate_left())
    else
      tat, spent = tat + cost, true
      local verdict, value = decide(ticket)
      answer(verdict, value, rate_left())
    end
  end

  write_seen(fresh)
  if spent or cut then redis.call('HSET', key, 'seq', format('%.0f', seq), 'tat', format('%.0f', tat)) end
  if accepted > 0 and redis.call('INCRBY', plan_key, accepted) == accepted then
    redis.call('EXPIRE', plan_key, 40 * 24 * 3600)
  end
end
if #taken > 0 then
  local order = '"sequences":[' .. table.concat(sequences, ',') .. '],"repeated":[' .. table.concat(repeated, ',') .. ']'
  -- Joined in one expression: that copies the actions once, table.concat several times.
  local group = '{"v":${GROUP_VERSION},"group_id":"' .. ARGV[6] .. '",' .. order .. ',"actions":[' .. taken_actions() .. ']}'
  add_job(KEYS, ARGV[4], ARGV[5], ARGV[7], group)
end
return '[' .. table.concat(out, ',') .. ']'
`;
