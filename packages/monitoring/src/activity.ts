import { DAY_MS, DAY_SECONDS, HOUR_MS, HOUR_SECONDS, MINUTE_MS } from '@sluice/contract/time/durations';
import type { Keyspace } from '@sluice/redis/keyspace';
import { repliesOf } from '@sluice/redis/replies-of';
import type { ChainableCommander, Redis } from 'ioredis';

/**
 * Counters for charts, so that no chart scans the delivery log. Each scope has three keys:
 * - a hash for each hour, with fields `<minute>|<name>`, kept for 26 hours;
 * - a hash for each day, with fields `<hour>|<name>`, kept for 32 days;
 * - a HyperLogLog of each hour's clients, kept for 26 hours. It takes 12 KB at most, and has no addresses.
 * Counts are added up in memory and written every second in one pipeline. The unwritten counts of a killed process are
 * missing in charts, and nowhere else.
 */
export interface Activity {
  /** Adds to a counter of a scope: an account, a source, an API key, or INSTALLATION. */
  add(scope: string, atMs: number, name: string, count?: number): void;
  /** Adds one measurement to a distribution (see histogram.ts). */
  set(scope: string, atMs: number, name: string, value: number): void;
  /** Counts a client (its address) of a scope once, however often it is seen. */
  sawClient(scope: string, atMs: number, client: string): void;
  /** Notes the time of a source's delivery. */
  sawDelivery(sourceId: string, atMs: number): void;
  flush(): Promise<void>;
  /** Writes the remaining counts and stops. */
  close(): Promise<void>;
}

/** The scope of counts without an account. */
export const INSTALLATION = 'installation';

/** The counter of a source's requests that were rejected because they were signed with its previous secret. */
export const OLD_SECRET_REFUSED = 'old_secret';

const FLUSH_MS = 1000;
const HOUR_HASH_SECONDS = 26 * HOUR_SECONDS;
const DAY_HASH_SECONDS = 32 * DAY_SECONDS;

/** The hash of a scope in the hour (`h`) or day (`d`) that an instant lies in. */
export function spanOf(atMs: number, unit: 'h' | 'd'): string {
  return `${unit}${Math.floor(atMs / (unit === 'h' ? HOUR_MS : DAY_MS))}`;
}

interface Pending {
  readonly seconds: number;
  readonly added: Map<string, number>;
  readonly set: Map<string, number>;
}

/** The two hashes of a scope in one minute, with the start of the field names in each. */
interface Place {
  readonly minute: number;
  readonly hashes: readonly (readonly [Pending, number])[];
}

export interface ActivityDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  /** Called for the first failure after a success, so that an outage is not reported every second. */
  readonly onError: (error: unknown) => void;
  readonly flushMs?: number;
}

export function createActivity({ redis, keyspace, onError, flushMs = FLUSH_MS }: ActivityDeps): Activity {
  let pending = new Map<string, Pending>();
  let seen = new Map<string, number>();
  let clients = new Map<string, Set<string>>();

  const hashOf = (key: string, seconds: number): Pending => {
    let hash = pending.get(key);
    if (hash === undefined) {
      hash = { seconds, added: new Map(), set: new Map() };
      pending.set(key, hash);
    }
    return hash;
  };

  // The last place of each scope is cached: rows arrive in the order of their time, thousands of them in a minute.
  const places = new Map<string, Place>();
  const placeAt = (scope: string, atMs: number): Place => {
    const minute = Math.floor(atMs / MINUTE_MS);
    const last = places.get(scope);
    if (last?.minute === minute) return last;
    const hour = hashOf(keyspace.activity(scope, spanOf(atMs, 'h')), HOUR_HASH_SECONDS);
    const day = hashOf(keyspace.activity(scope, spanOf(atMs, 'd')), DAY_HASH_SECONDS);
    const place: Place = {
      minute,
      hashes: [
        [hour, Math.floor((atMs % HOUR_MS) / MINUTE_MS)],
        [day, Math.floor((atMs % DAY_MS) / HOUR_MS)],
      ],
    };
    places.set(scope, place);
    return place;
  };

  let writing = 0;
  let failing = false;
  const flush = async (): Promise<void> => {
    if (pending.size === 0 && seen.size === 0 && clients.size === 0) return;
    const [hashes, deliveries, counted] = [pending, seen, clients];
    [pending, seen, clients] = [new Map(), new Map(), new Map()];
    places.clear();
    const pipeline = redis.pipeline();
    for (const [key, { seconds, added, set }] of hashes) {
      for (const [field, count] of added) pipeline.hincrby(key, field, count);
      if (set.size > 0) pipeline.hset(key, set);
      pipeline.expire(key, seconds);
    }
    for (const [key, addresses] of counted) {
      pipeline.pfadd(key, ...addresses);
      pipeline.expire(key, HOUR_HASH_SECONDS);
    }
    noteLastDeliveries(pipeline, keyspace, deliveries);
    writing += 1;
    try {
      await repliesOf(pipeline);
      failing = false;
    } catch (error) {
      if (!failing) onError(error);
      failing = true;
    } finally {
      writing -= 1;
    }
  };
  // While Redis does not respond, counts are added up here. Otherwise one pipeline a second would wait.
  const timer = setInterval(() => {
    if (writing === 0) void flush();
  }, flushMs);
  timer.unref();

  return {
    add(scope, atMs, name, count = 1) {
      for (const [{ added }, slot] of placeAt(scope, atMs).hashes) {
        const field = `${slot}|${name}`;
        added.set(field, (added.get(field) ?? 0) + count);
      }
    },
    set(scope, atMs, name, value) {
      for (const [{ set }, slot] of placeAt(scope, atMs).hashes) set.set(`${slot}|${name}`, value);
    },
    sawClient(scope, atMs, client) {
      const key = keyspace.clients(scope, spanOf(atMs, 'h'));
      const addresses = clients.get(key);
      if (addresses === undefined) clients.set(key, new Set([client]));
      else addresses.add(client);
    },
    sawDelivery: (sourceId, atMs) => void seen.set(sourceId, Math.max(atMs, seen.get(sourceId) ?? 0)),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

// KEYS[1] the hash   ARGV pairs of a source and a time
// With several workers, the last writer need not have had the last delivery.
const KEEP_LATEST = `
for n = 1, #ARGV, 2 do
  local known = tonumber(redis.call('HGET', KEYS[1], ARGV[n]) or 0)
  if tonumber(ARGV[n + 1]) > known then redis.call('HSET', KEYS[1], ARGV[n], ARGV[n + 1]) end
end
`;

/** Notes the last deliveries of sources. A later time in Redis stays. */
function noteLastDeliveries(
  pipeline: ChainableCommander,
  keyspace: Keyspace,
  deliveries: ReadonlyMap<string, number>,
): void {
  if (deliveries.size > 0) pipeline.eval(KEEP_LATEST, 1, keyspace.lastDelivery, ...[...deliveries].flat());
}
