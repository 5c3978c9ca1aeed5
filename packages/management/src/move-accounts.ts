import { SEEN_SIGNATURE_DIGITS } from '@sluice/admission/admit.lua';
import type { HoldWrites } from '@sluice/admission/replica-wait';
import { createKeyspace, type Keyspace } from '@sluice/shards/keyspace';
import { createShards, type Shards } from '@sluice/shards/shards';
import type { Cluster, Redis } from 'ioredis';

export interface MoveAccountsDeps {
  readonly redis: Redis;
  readonly namespace: string;
  /** undefined: there is no such source. */
  readonly accountOf: (sourceId: string) => string | undefined;
  /** Over every shard that is moved from or to. */
  readonly hold: HoldWrites;
}

const SCAN_COUNT = 500;

/**
 * Moves what the admission keeps of sources and accounts (sequence numbers, rates, remembered requests, use of plans,
 * refusals that are counted) to where it belongs when there are `count` shards, and deletes what else is in shards that are
 * none any more. Stopped half way, it is simply run again. Nobody may admit meanwhile. Returns how many keys were moved, in
 * whole or in part.
 *
 * Nothing is deleted before the replicas asked for hold its copy, nor called moved before they know that it is deleted: a
 * server that fails over meanwhile would have lost it, or would bring back what a later move takes for the newer one.
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

/** What has its copy where it belongs. */
interface Settled {
  readonly isMoved: boolean;
  /** Deletes what is left where it does not belong. */
  readonly leave: () => Promise<unknown>;
}

const STAYS: Settled = { isMoved: false, leave: async () => undefined };

interface FoundKey {
  readonly key: string;
  readonly shard: number;
  /** What follows the hash tag, such as `source:src_1`. */
  readonly rest: string;
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
  const home = homeOf(deps, shards, what, id);
  if (home !== undefined) {
    const to = `${home.prefix}:${rest}`;
    if (to === key) return STAYS;
    await copy(redis, key, to);
    return { isMoved: true, leave: () => redis.del(key) };
  }
  const isForNobody = shard >= shards.count || what === 'account-of';
  return isForNobody ? { isMoved: false, leave: () => redis.del(key) } : STAYS;
}

/** Where a key belongs that is kept of a source or an account; of the others each shard has its own. */
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

/** With its time to live. It may have run out, or have been moved when SCAN found it a second time: then there is nothing. */
async function copy(redis: Redis, from: string, to: string): Promise<void> {
  const [content, lifeMs] = await Promise.all([redis.dumpBuffer(from), redis.pttl(from)]);
  if (content !== null) await redis.restore(to, Math.max(0, lifeMs), content, 'REPLACE');
}

/** What the admission goes on counting has one place: the row in the log has the highest count, not the sum of several. */
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
    await copy(redis, from.folded(source, Number(minute)), hash);
    // A worker may have brought it into the log meanwhile.
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

/** The requests of one second are of many sources, each of which may have another home. */
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
