import { DAY_MS } from '@sluice/contract/time/durations';
import { createKeyspace, type Keyspace } from '@sluice/redis/keyspace';
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

export interface MoveDeps {
  readonly redis: Redis;
  readonly namespace: string;
  readonly shards: Shards;
}

/** A process that was frozen during the move still uses the old shard for at most this long. Milliseconds. */
const FENCED_MS = DAY_MS;
/** The fence of a list that has moved (mailboxes/directory.lua.ts). */
const MOVED_FENCE = 'fence:moved';

/** Copies a key with its TTL. Does nothing if the key expired, or was already moved when SCAN returned it again. */
export async function copyKey(redis: Redis, from: string, to: string): Promise<void> {
  const [content, lifeMs] = await Promise.all([redis.dumpBuffer(from), redis.pttl(from)]);
  if (content !== null) await redis.restore(to, Math.max(0, lifeMs), content, 'REPLACE');
}

/**
 * Moves what Redis stores about webhook subscriptions and the messages that wait for them. Undefined: the key is of another kind.
 * Lists of subscriptions are published again from MongoDB, and texts of changes are read there.
 */
export async function settleMailbox(deps: MoveDeps, found: FoundKey): Promise<Settled | undefined> {
  const [what = '', id = ''] = found.rest.split(':');
  switch (what) {
    case 'mailbox':
      return moveMailbox(deps, found, id);
    case 'subscriptions':
      return leaveList(deps, found, id);
    case 'subscription-ids':
    case 'subscribed':
      return isHome(deps, found, id) ? STAYS : leaving(deps, found);
    default:
      if (what === 'discarding') return found.shard < deps.shards.count ? STAYS : leaving(deps, found);
      return what.startsWith('mailbox-') ? settlePart(deps, found, id) : undefined;
  }
}

export function isHome({ namespace, shards }: MoveDeps, { shard }: FoundKey, accountId: string): boolean {
  return shards.of(accountId).prefix === createKeyspace(namespace, shard).prefix;
}

export const leaving = ({ redis }: MoveDeps, { key }: FoundKey): Settled => ({
  isMoved: false,
  leave: () => redis.del(key),
});

/** The hash is deleted last, because it names the account: an interrupted move is repeated. */
async function moveMailbox(deps: MoveDeps, found: FoundKey, id: string): Promise<Settled> {
  const { redis, namespace, shards } = deps;
  const from = createKeyspace(namespace, found.shard);
  const accountId = await redis.hget(found.key, 'account');
  if (accountId === null || isHome(deps, found, accountId)) return STAYS;
  const to = shards.of(accountId);
  await fenceList(deps, found, accountId);
  const parts = partsOf(from, id);
  for (const [index, part] of partsOf(to, id).entries()) await copyKey(redis, parts[index] as string, part);
  await copyKey(redis, found.key, to.mailbox(id));
  await redis.sadd(to.subscriptionIds(accountId), id);
  // Due at once: the next claim looks when it really is, and takes over a turn that was running.
  await redis.zadd(to.turns, Date.now(), id);
  const discarded = `${accountId} ${id}`;
  if ((await redis.sismember(from.discarding, discarded)) === 1) await redis.sadd(to.discarding, discarded);
  const leave = async () => {
    await redis.del(...parts);
    await redis.zrem(from.turns, id);
    await redis.srem(from.discarding, discarded);
    await redis.del(found.key);
  };
  return { isMoved: true, leave };
}

function partsOf(keyspace: Keyspace, id: string): readonly string[] {
  const { mailboxNew, mailboxRetry, mailboxTaken, mailboxIds, mailboxHeads, mailboxHeld } = keyspace;
  const { mailboxTail, mailboxDiscarded } = keyspace;
  return [
    ...[mailboxNew, mailboxRetry, mailboxTaken, mailboxIds, mailboxHeads, mailboxHeld],
    ...[mailboxTail, mailboxDiscarded],
  ].map((of) => of(id));
}

/** A part is moved with its mailbox. Without a mailbox nothing reads it. */
async function settlePart(deps: MoveDeps, found: FoundKey, id: string): Promise<Settled> {
  const { redis, namespace, shards } = deps;
  const exists = (await redis.exists(createKeyspace(namespace, found.shard).mailbox(id))) === 1;
  return exists || found.shard < shards.count ? STAYS : leaving(deps, found);
}

/** Nothing is pushed into the mailboxes of a list that is fenced. */
export async function fenceList(
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
export async function leaveList(deps: MoveDeps, found: FoundKey, accountId: string): Promise<Settled> {
  const { redis } = deps;
  if (isHome(deps, found, accountId))
    return (await redis.hexists(found.key, MOVED_FENCE)) === 1 ? leaving(deps, found) : STAYS;
  await fenceList(deps, found, accountId);
  return STAYS;
}
