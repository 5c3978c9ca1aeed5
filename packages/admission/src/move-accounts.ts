import type { Cluster, Redis } from 'ioredis';
import { SEEN_SIGNATURE_DIGITS } from './admit.lua.ts';
import { createKeyspace, type Keyspace } from './keyspace.ts';
import { createShards, type Shards } from './shards.ts';

export interface MoveAccountsDeps {
  readonly redis: Redis;
  readonly namespace: string;
  /** undefined: there is no such source. */
  readonly accountOf: (sourceId: string) => string | undefined;
}

const SCAN_COUNT = 500;

/**
 * Moves what the admission keeps of sources and accounts (sequence numbers, rates, remembered requests, use of plans,
 * refusals that are counted) to where it belongs when there are `count` shards, and deletes what else is in shards that are
 * none any more. Stopped half way, it is simply run again. Nobody may admit meanwhile. Returns how many keys were moved, in
 * whole or in part.
 */
export async function moveAccounts(deps: MoveAccountsDeps, count: number): Promise<number> {
  const { redis, namespace } = deps;
  const shards = createShards(namespace, count);
  const nodes = redis.isCluster ? (redis as unknown as Cluster).nodes('master') : [redis];
  let moved = 0;
  for (const node of nodes) {
    for await (const found of node.scanStream({ match: `{${namespace}:*`, count: SCAN_COUNT })) {
      const keys = (found as string[]).flatMap((key) => readKey(key) ?? []);
      const done = await Promise.all(keys.map((key) => settle(deps, shards, key)));
      moved += done.filter((isMoved) => isMoved).length;
    }
  }
  return moved;
}

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

async function settle(deps: MoveAccountsDeps, shards: Shards, found: FoundKey): Promise<boolean> {
  const [what, id = ''] = found.rest.split(':');
  if (what === 'seen') return moveSeen(deps, shards, found);
  if (found.rest === 'folded') return moveFolded(deps, shards, found);
  const home = homeOf(deps, shards, what, id);
  if (home !== undefined) {
    const to = `${home.prefix}:${found.rest}`;
    if (to !== found.key) await move(deps.redis, found.key, to);
    return to !== found.key;
  }
  if (found.shard >= shards.count || what === 'account-of') await deps.redis.del(found.key);
  return false;
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

/** With its time to live. Between two servers of a Cluster there is no one step for it: the copy comes first. */
async function move(redis: Redis, from: string, to: string): Promise<void> {
  const [content, lifeMs] = await Promise.all([redis.dumpBuffer(from), redis.pttl(from)]);
  // It may have run out, or have been moved when SCAN found it a second time.
  if (content === null) return;
  await redis.restore(to, Math.max(0, lifeMs), content, 'REPLACE');
  await redis.del(from);
}

/** What the admission goes on counting has one place: the row in the log has the highest count, not the sum of several. */
async function moveFolded(
  { redis, namespace }: MoveAccountsDeps,
  shards: Shards,
  { key, shard }: FoundKey,
): Promise<boolean> {
  const from = createKeyspace(namespace, shard);
  let moved = false;
  for (const member of await redis.zrange(key, '0', '-1')) {
    const [source = '', account = '', minute] = member.split('|');
    const to = shards.of(account);
    if (to.prefix === from.prefix) continue;
    const hash = to.folded(source, Number(minute));
    await move(redis, from.folded(source, Number(minute)), hash);
    // A worker may have brought it into the log meanwhile.
    if ((await redis.exists(hash)) === 1) await redis.zadd(to.foldedIndex, Number(minute), member);
    await redis.zrem(key, member);
    moved = true;
  }
  return moved;
}

/** The requests of one second are of many sources, each of which may have another home. */
async function moveSeen(
  { redis, accountOf }: MoveAccountsDeps,
  shards: Shards,
  { key, rest }: FoundKey,
): Promise<boolean> {
  const lifeMs = await redis.pttl(key);
  let moved = false;
  for await (const page of redis.hscanStream(key, { count: SCAN_COUNT })) {
    const leaving = new Map<string, Map<string, string>>();
    const gone: string[] = [];
    for (const [name, sequence] of pairsOf(page as string[])) {
      const account = accountOf(name.slice(SEEN_SIGNATURE_DIGITS));
      const to = account === undefined ? undefined : `${shards.of(account).prefix}:${rest}`;
      if (to === key) continue;
      gone.push(name);
      if (to !== undefined) leaving.set(to, (leaving.get(to) ?? new Map()).set(name, sequence));
    }
    for (const [to, requests] of leaving) {
      await redis.hset(to, requests);
      if (lifeMs > 0) await redis.pexpire(to, lifeMs);
      moved = true;
    }
    if (gone.length > 0) await redis.hdel(key, ...gone);
  }
  return moved;
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] as string]] : []));
}
