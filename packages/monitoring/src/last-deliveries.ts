import type { Keyspace } from '@sluice/redis/keyspace';
import type { ChainableCommander } from 'ioredis';

// KEYS[1] the hash   ARGV pairs of a source and a time
// With several workers, the last writer need not have had the last delivery.
const KEEP_LATEST = `
for n = 1, #ARGV, 2 do
  local known = tonumber(redis.call('HGET', KEYS[1], ARGV[n]) or 0)
  if tonumber(ARGV[n + 1]) > known then redis.call('HSET', KEYS[1], ARGV[n], ARGV[n + 1]) end
end
`;

/** Notes the last deliveries of sources. A later time in Redis stays. */
export function noteLastDeliveries(
  pipeline: ChainableCommander,
  keyspace: Keyspace,
  deliveries: ReadonlyMap<string, number>,
): void {
  if (deliveries.size > 0) pipeline.eval(KEEP_LATEST, 1, keyspace.lastDelivery, ...[...deliveries].flat());
}
