import type { ReplicaState } from '@sluice/activity/replicas';
import type { NotedShards } from '@sluice/shards/shard-count';
import type { Sources } from '@sluice/store/sources';

export interface SetShardsDeps {
  /** Keeps others from changing it meanwhile, until what it resolves to is called; undefined: somebody else does. */
  readonly claim: () => Promise<(() => Promise<void>) | undefined>;
  readonly read: () => Promise<NotedShards>;
  readonly note: (noted: Exclude<NotedShards, { status: 'none' }>) => Promise<void>;
  /** The processes that were heard of lately. */
  readonly replicas: () => Promise<readonly ReplicaState[]>;
  /** What a worker still has to do in a shard: groups, and minutes of counted refusals. */
  readonly unfinished: (shard: number) => Promise<number>;
  /** Whether each of the first `within` shards has as many Redis replicas as must hold what is moved. */
  readonly hasReplicas: (within: number) => Promise<boolean>;
  readonly move: (to: MoveTo) => Promise<number>;
  readonly sources: Pick<Sources, 'listSources'>;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface MoveTo {
  readonly count: number;
  /** In how many shards there is something before or afterwards. */
  readonly within: number;
  readonly accountOf: (sourceId: string) => string | undefined;
}

export type ShardsSet =
  | { readonly status: 'unchanged' }
  | { readonly status: 'set'; readonly moved: number }
  /** Somebody else is changing it, or was killed a moment ago while doing so. */
  | { readonly status: 'already_changing' }
  /** Ingresses or APIs that were heard of a moment ago. */
  | { readonly status: 'still_running'; readonly replicas: readonly ReplicaState[] }
  /** What is moved could not be confirmed. */
  | { readonly status: 'too_few_replicas' }
  /** Shards that would go hold work. */
  | { readonly status: 'still_waiting'; readonly unfinished: number };

/** A process that runs is heard of every 2 s; one that was killed never said that it is gone. */
const STOPPED_AFTER_MS = 10_000;

/** An ingress that was overlooked looks twice a second, and its requests are answered within 1.5 s. */
const NOBODY_ADMITS_AFTER_MS = 2000;

/**
 * Changes the number of shards that accounts are spread over. While accounts are moved no process starts, and none that
 * runs all the same goes on: what is noted in Redis tells them. Stopped half way, it is simply run again.
 */
export async function setShards(deps: SetShardsDeps, count: number): Promise<ShardsSet> {
  const end = await deps.claim();
  if (end === undefined) return { status: 'already_changing' };
  try {
    return await change(deps, count);
  } finally {
    await end();
  }
}

async function change(deps: SetShardsDeps, count: number): Promise<ShardsSet> {
  const before = await deps.read();
  if (before.status === 'noted' && before.count === count) return { status: 'unchanged' };
  const since = deps.now() - STOPPED_AFTER_MS;
  const replicas = (await deps.replicas()).filter(
    ({ kind, last_seen_at }) => kind !== 'worker' && last_seen_at > since,
  );
  if (replicas.length > 0) return { status: 'still_running', replicas };

  const within = Math.max(count, spanOf(before));
  if (!(await deps.hasReplicas(within))) return { status: 'too_few_replicas' };
  await deps.note({ status: 'moving', within });
  await deps.pause(NOBODY_ADMITS_AFTER_MS);
  const unfinished = await sumOf(deps.unfinished, count, within);
  if (unfinished > 0) {
    // Nothing has been moved yet, so that workers may start again as they were.
    if (before.status !== 'moving') await deps.note({ status: 'noted', count: spanOf(before) });
    return { status: 'still_waiting', unfinished };
  }
  const accounts = new Map(
    (await deps.sources.listSources()).map(({ source_id, account_id }) => [source_id, account_id]),
  );
  const moved = await deps.move({ count, within, accountOf: (sourceId) => accounts.get(sourceId) });
  await deps.note({ status: 'noted', count });
  return { status: 'set', moved };
}

/** In how many shards accounts may lie; before the number was noted there was one. */
function spanOf(noted: NotedShards): number {
  switch (noted.status) {
    case 'none':
      return 1;
    case 'noted':
      return noted.count;
    case 'moving':
      return noted.within;
  }
}

async function sumOf(of: (shard: number) => Promise<number>, from: number, to: number): Promise<number> {
  const counts = Array.from({ length: Math.max(0, to - from) }, (_, i) => of(from + i));
  return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
}
