import { DAY_MS } from '@sluice/contract/time/durations';
import { createKeyspace } from '@sluice/redis/keyspace';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';

/** A key whose copy is where it belongs. */
export interface Settled {
  readonly isMoved: boolean;
  /** Deletes the original if it is in the wrong shard. */
  readonly leave: () => Promise<unknown>;
}

export const STAYS: Settled = { isMoved: false, leave: async () => undefined };

export interface FoundKey {
  readonly key: string;
  readonly shard: number;
  /** The part after the hash tag, such as `source:src_1`. */
  readonly rest: string;
}

interface MoveDeps {
  readonly redis: Redis;
  readonly namespace: string;
  readonly shards: Shards;
}

/** A process that was frozen during the move still uses the old shard for at most this long. Milliseconds. */
const FENCED_MS = DAY_MS;
/** The fence of a list that has moved (outbound: directory/directory.lua.ts). */
const MOVED_FENCE = 'fence:moved';

/**
 * Deletes what the wrong shard has about the webhook subscriptions of an account. They are published to its shard from MongoDB, which has their
 * cursors and all that waits. Undefined: the key is of another kind.
 */
export async function leaveSubscriptions(deps: MoveDeps, found: FoundKey): Promise<Settled | undefined> {
  const [what = '', id = ''] = found.rest.split(':');
  switch (what) {
    case 'mailbox':
      return leaveAccount(deps, found, await deps.redis.hget(found.key, 'account'));
    case 'subscriptions':
      return leaveList(deps, found, id);
    case 'subscription-ids':
    case 'subscribed':
      return isHome(deps, found, id) ? STAYS : leaving(deps, found);
    case 'log':
    case 'log-open':
    case 'log-given-up':
    case 'idle-cursors':
      return leaveAccount(deps, found, id);
    default:
      return undefined;
  }
}

/** First nobody appends to its log in this shard any more. */
async function leaveAccount(deps: MoveDeps, found: FoundKey, accountId: string | null): Promise<Settled> {
  if (accountId === null || isHome(deps, found, accountId)) return STAYS;
  await fenceList(deps, found, accountId);
  return leaving(deps, found);
}

function isHome({ namespace, shards }: MoveDeps, { shard }: FoundKey, accountId: string): boolean {
  return shards.of(accountId).prefix === createKeyspace(namespace, shard).prefix;
}

const leaving = ({ redis }: MoveDeps, { key }: FoundKey): Settled => ({
  isMoved: false,
  leave: () => redis.del(key),
});

/** Nothing is published for an account whose list is fenced. */
async function fenceList(
  { redis, namespace }: MoveDeps,
  { shard }: FoundKey,
  accountId: string,
): Promise<void> {
  const list = createKeyspace(namespace, shard).subscriptions(accountId);
  const until = Date.now() + FENCED_MS;
  await redis.hset(list, { [MOVED_FENCE]: until, fenced_until: until });
  await redis.hdel(list, 'version');
  await redis.pexpire(list, FENCED_MS);
}

/** An earlier move has fenced the list of an account that comes back. */
async function leaveList(deps: MoveDeps, found: FoundKey, accountId: string): Promise<Settled> {
  const { redis } = deps;
  if (isHome(deps, found, accountId))
    return (await redis.hexists(found.key, MOVED_FENCE)) === 1 ? leaving(deps, found) : STAYS;
  await fenceList(deps, found, accountId);
  return STAYS;
}
