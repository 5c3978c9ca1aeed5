import { luaKeys } from '@sluice/redis/keyspace';

/** A signed request is remembered by this many hex digits of its signature, followed by its source's id. */
export const SEEN_SIGNATURE_DIGITS = 16;

/**
 * The most ids of a sender that a source remembers in a day. Further ones are admitted and not remembered: one sender must not
 * fill the memory of Redis.
 */
export const IDS_PER_DAY = 200_000;

const KEY = luaKeys('prefix');

/** Lua: looks up which tickets of `sources` were admitted before. Later code reads `seconds`, `asked` and the tickets' parts. */
export const FIND_DUPLICATES_LUA = `
-- Looks up duplicates, with one call for each second in which tickets were signed, for all sources together.
-- seconds[timestamp].seen[name] is the sequence number, or false. from and to are an action's part of ARGV[10].
local seconds, asked, asked_bytes = {}, 0, 0
for _, source in ipairs(sources) do
  for _, ticket in ipairs(source.tickets) do
    if ticket.bytes then
      local second = seconds[ticket.timestamp]
      if not second then
        second = { names = {}, fresh = {}, seconds = ticket.seconds, earlier = ticket.earlier }
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
  -- A message of a sender with ids may have come on an earlier day.
  for _, earlier in ipairs(second.earlier or {}) do
    for n, sequence in ipairs(redis.call('HMGET', ${KEY.seen('earlier')}, unpack(names))) do
      seen[names[n]] = seen[names[n]] or sequence
    end
  end
  second.seen = seen
end
`;

/** Lua: remembers the tickets that were admitted now, which are in `fresh` of their second. */
export const REMEMBER_TICKETS_LUA = `
for timestamp, second in pairs(seconds) do
  local seen_key = ${KEY.seen('timestamp')}
  local full = second.earlier and redis.call('HLEN', seen_key) >= ${IDS_PER_DAY}
  if #second.fresh > 0 and not full then
    redis.call('HSET', seen_key, unpack(second.fresh))
    redis.call('EXPIRE', seen_key, second.seconds, 'NX')
  end
end
`;
