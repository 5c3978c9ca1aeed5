import { SEEN_SIGNATURE_DIGITS } from '@sluice/admission/checks/duplicates.lua';
import type { HoldWrites } from '@sluice/admission/replica-wait';
import { createKeyspace, type Keyspace } from '@sluice/redis/keyspace';
import { createShards, type Shards } from '@sluice/redis/shards/shards';
import type { Cluster, Redis } from 'ioredis';
import { type FoundKey, leaveSubscriptions, type Settled, STAYS } from './leave-subscriptions.ts';

export interface MoveAccountsDeps {
  readonly redis: Redis;
  readonly namespace: string;
  /** undefined: no such source. */
  readonly accountOf: (sourceId: string) => string | undefined;
  /** Covers every shard that keys move from or to. */
  readonly hold: HoldWrites;
}

const SCAN_COUNT = 500;

/**
 * Moves the admission state of sources and accounts (sequence numbers, rates, remembered requests, plan use, counted
 * rejected requests) to its shard of `count`, and deletes the rest of each removed shard. Run it again if it was
 * interrupted. No request may be admitted meanwhile. Returns how many keys were moved, in whole or in part.
 *
 * A key is deleted only after the required replicas have its copy, and counts as moved only after they have the delete.
 * Otherwise a failover could lose it, or bring back a copy that a later move would mistake for the newer one.
 */
export async function moveAccounts(deps: MoveAccountsDeps, count: number): Promise<number> {
  const { redis, namespace, hold } = deps;
  const shards = createShards(namespace, count);
  const nodes = redis.isCluster ? (redis as unknown as Cluster).nodes('master') : [redis];
  let moved = 0;
  for (const node of nodes) {
    for await (const found of node.scanStream({ match: `{${namespace}:*`, count: SCAN_COUNT })) {
      const keys = (found as string[]).flatMap((key) => readKey(key) ?? []);
      const settled = await hold(() => Promise.all(keys.map((key) => settle(deps, shards, key))));
      await hold(() => Promise.all(settled.map(({ leave }) => leave())));
      moved += settled.filter(({ isMoved }) => isMoved).length;
    }
  }
  return moved;
}

function readKey(key: string): FoundKey | undefined {
  const [, shard, rest] = /^\{[^:]+:(\d+)\}:(.+)$/.exec(key) ?? [];
  return rest === undefined ? undefined : { key, shard: Number(shard), rest };
}

async function settle(deps: MoveAccountsDeps, shards: Shards, found: FoundKey): Promise<Settled> {
  const { redis } = deps;
  const { key, shard, rest } = found;
  const [what, id = ''] = rest.split(':');
  if (what === 'seen') return settleSeen(deps, shards, found);
  if (rest === 'folded') return settleFolded(deps, shards, found);
  const ofOutbound = await leaveSubscriptions({ ...deps, shards }, found);
  if (ofOutbound !== undefined) return ofOutbound;
  const home = homeOf(deps, shards, what, id);
  if (home !== undefined) {
    const to = `${home.prefix}:${rest}`;
    if (to === key) return STAYS;
    await copyKey(redis, key, to);
    return { isMoved: true, leave: () => redis.del(key) };
  }
  const isObsolete = shard >= shards.count || what === 'account-of';
  return isObsolete ? { isMoved: false, leave: () => redis.del(key) } : STAYS;
}

/** The shard of a key that belongs to a source or an account. Other keys exist in each shard, so they stay. */
function homeOf(
  { accountOf }: MoveAccountsDeps,
  shards: Shards,
  what: string | undefined,
  id: string,
): Keyspace | undefined {
  if (what === 'plan') return shards.of(id);
  if (what !== 'source') return undefined;
  const account = accountOf(id);
  return account === undefined ? undefined : shards.of(account);
}

/** Moves counters to one place only: the log row takes the highest count, not the sum of several. */
async function settleFolded(
  { redis, namespace }: MoveAccountsDeps,
  shards: Shards,
  { key, shard }: FoundKey,
): Promise<Settled> {
  const from = createKeyspace(namespace, shard);
  const leaving: string[] = [];
  for (const member of await redis.zrange(key, '0', '-1')) {
    const [source = '', account = '', minute] = member.split('|');
    const to = shards.of(account);
    if (to.prefix === from.prefix) continue;
    const hash = to.folded(source, Number(minute));
    await copyKey(redis, from.folded(source, Number(minute)), hash);
    // A worker may have written the count to the log meanwhile.
    if ((await redis.exists(hash)) === 1) await redis.zadd(to.foldedIndex, Number(minute), member);
    leaving.push(member);
  }
  const hashOf = (member: string) => {
    const [source = '', , minute] = member.split('|');
    return from.folded(source, Number(minute));
  };
  if (leaving.length === 0) return STAYS;
  return {
    isMoved: true,
    leave: () => Promise.all([redis.del(...leaving.map(hashOf)), redis.zrem(key, ...leaving)]),
  };
}

/** Moves remembered requests. Those of one second belong to many sources, possibly with different shards. */
async function settleSeen(
  { redis, accountOf }: MoveAccountsDeps,
  shards: Shards,
  { key, rest }: FoundKey,
): Promise<Settled> {
  const lifeMs = await redis.pttl(key);
  let isMoved = false;
  const leaving: string[][] = [];
  for await (const page of redis.hscanStream(key, { count: SCAN_COUNT })) {
    const arriving = new Map<string, Map<string, string>>();
    const gone: string[] = [];
    for (const [name, sequence] of pairsOf(page as string[])) {
      const account = accountOf(name.slice(SEEN_SIGNATURE_DIGITS));
      const to = account === undefined ? undefined : `${shards.of(account).prefix}:${rest}`;
      if (to === key) continue;
      gone.push(name);
      if (to !== undefined) arriving.set(to, (arriving.get(to) ?? new Map()).set(name, sequence));
    }
    if (gone.length > 0) leaving.push(gone);
    for (const [to, requests] of arriving) {
      await redis.hset(to, requests);
      if (lifeMs > 0) await redis.pexpire(to, lifeMs);
      isMoved = true;
    }
  }
  return { isMoved, leave: () => Promise.all(leaving.map((gone) => redis.hdel(key, ...gone))) };
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] as string]] : []));
}

/** Copies a key with its TTL. Does nothing if the key expired, or was already moved when SCAN returned it again. */
async function copyKey(redis: Redis, from: string, to: string): Promise<void> {
  const [content, lifeMs] = await Promise.all([redis.dumpBuffer(from), redis.pttl(from)]);
  if (content !== null) await redis.restore(to, Math.max(0, lifeMs), content, 'REPLACE');
}
