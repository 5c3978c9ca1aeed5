import type { ReplicaState } from '@sluice/monitoring/replicas';
import type { NotedShards } from '@sluice/redis/shards/shard-count';
import type { Sources } from '@sluice/store/sources/sources';

export interface SetShardsDeps {
  /** Locks the shard count until the returned function is called; undefined: another process has the lock. */
  readonly claim: () => Promise<(() => Promise<void>) | undefined>;
  readonly read: () => Promise<NotedShards>;
  readonly note: (noted: Exclude<NotedShards, { status: 'none' }>) => Promise<void>;
  /** The processes that reported recently. */
  readonly replicas: () => Promise<readonly ReplicaState[]>;
  /** A worker's pending work in a shard: groups, and minutes of counted rejected requests. */
  readonly unfinished: (shard: number) => Promise<number>;
  /** Whether each of the first `within` shards has the Redis replicas that must confirm moved keys. */
  readonly hasReplicas: (within: number) => Promise<boolean>;
  readonly move: (to: MoveTo) => Promise<number>;
  readonly sources: Pick<Sources, 'listSources'>;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

export interface MoveTo {
  readonly count: number;
  /** How many shards contain data before or after the move. */
  readonly within: number;
  readonly accountOf: (sourceId: string) => string | undefined;
}

export type ShardsSet =
  | { readonly status: 'unchanged' }
  | { readonly status: 'set'; readonly moved: number }
  /** Another process is changing it, or was killed while doing so and its lock has not expired. */
  | { readonly status: 'already_changing' }
  /** Ingress or API processes reported recently. */
  | { readonly status: 'still_running'; readonly replicas: readonly ReplicaState[] }
  /** Moved keys could not be confirmed by replicas. */
  | { readonly status: 'too_few_replicas' }
  /** The shards to be removed still contain work. */
  | { readonly status: 'still_waiting'; readonly unfinished: number };

/** These end once the move is noted. Workers first finish what waits. A turn that a dispatcher had is claimed again after the move. */
const ENDS_AUTOMATICALLY: ReadonlySet<ReplicaState['kind']> = new Set(['worker', 'dispatcher']);

/** A running process reports every 2 s. A killed process never reports that it is gone. */
const GONE_AFTER_MS = 10_000;

/** An ingress that was missed checks twice a second, and its requests finish within 1.5 s. Workers and dispatchers check once a second. */
const ADMISSION_ENDED_AFTER_MS = 2000;

/**
 * Changes the number of shards that accounts are spread over. Redis records that a move is in progress: no process
 * starts meanwhile, and a process that still runs stops. Run it again if it was interrupted.
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
  const since = deps.now() - GONE_AFTER_MS;
  const replicas = (await deps.replicas()).filter(
    ({ kind, last_seen_at }) => !ENDS_AUTOMATICALLY.has(kind) && last_seen_at > since,
  );
  if (replicas.length > 0) return { status: 'still_running', replicas };

  const within = Math.max(count, spanOf(before));
  // Workers and dispatchers end once a move is noted, so workers are left to finish first.
  const waiting = before.status === 'moving' ? 0 : await sumOf(deps.unfinished, count, within);
  if (waiting > 0) return { status: 'still_waiting', unfinished: waiting };
  if (!(await deps.hasReplicas(within))) return { status: 'too_few_replicas' };
  await deps.note({ status: 'moving', within });
  await deps.pause(ADMISSION_ENDED_AFTER_MS);
  const unfinished = await sumOf(deps.unfinished, count, within);
  if (unfinished > 0) {
    // Nothing has been moved yet, so workers may start again with the old count.
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

/** How many shards can contain accounts. Before the count was recorded there was one shard. */
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
