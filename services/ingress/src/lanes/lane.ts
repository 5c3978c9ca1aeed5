import { createAdmit } from '@sluice/admission/admit';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import { GROUP_VERSION, type RefusedRequest } from '@sluice/contract/delivery/groups';
import { newId } from '@sluice/credentials/ids';
import { createProducer, type Producer } from '@sluice/queue/producer';
import type { Keyspace } from '@sluice/redis/keyspace';
import { shardConnection } from '@sluice/redis/shards/shard-connection';
import { createShardNode } from '@sluice/redis/shards/shard-node';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { type Batcher, type BatcherOptions, createBatcher } from '@sluice/runtime/timing/batcher';
import type { Redis } from 'ioredis';
import { type AdmitGroupDeps, createAdmitGroup } from '../admit/admit-group.ts';
import { type Decision, UNAVAILABLE } from '../admit/decide.ts';
import { bytesOfRefusal, type Candidate, withoutBody } from '../admit/rows.ts';
import type { IngressConfig } from '../config.ts';
import { createGate, type Gate } from '../gate/gate.ts';
import { type Confirmed, type LostWrites, watchHistory, watchLostWrites } from '../gate/lost-writes.ts';
import { gateLog } from '../gate/observe-gate.ts';
import { readRedisVitals } from '../gate/redis-vitals.ts';
import { type Stamped, type UnlessMoved, unlessMoved } from './unless-moved.ts';

/** The path of one shard's requests into Redis, with separate groups and a separate gate. */
export interface Lane {
  readonly gate: Gate;
  /** Decides on requests, and enqueues the admitted ones. */
  readonly admissions: Pick<Batcher<Candidate, Decision>, 'submit'>;
  /** Enqueues the rows of rejected ones. They are separate, so that accepted requests do not wait for them. */
  readonly refusals: { submit(row: RefusedRequest, deadlineMs: number): Promise<RowDone> };
  close(): Promise<void>;
}

/**
 * `full`: as many groups of refusals wait as may. One rejected sender must not cost others their 200. `unavailable`: Redis
 * has not responded in time.
 */
export type RowDone = 'enqueued' | 'full' | 'unavailable';

export interface LaneDeps {
  readonly config: IngressConfig;
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly replicaWait: ReplicaWait;
  /** How many lanes share the limits of the process. */
  readonly lanes: number;
  /** Rejects if nothing may be accepted although Redis responds. */
  readonly allowed: () => Promise<void>;
  readonly logger: Logger;
  readonly onActions: AdmitGroupDeps['onActions'];
  /** Called with the number of rejections of each enqueued group. */
  readonly onRefusals: (refusals: number) => void;
  /** Called when the shard may have lost writes: it has moved to another server of a Cluster, or taken a replica's data. */
  readonly onMoved: () => void;
  readonly onLostWrites: (lost: LostWrites) => void;
}

/** Limits of one group. A worker must apply a job well before its lock expires. */
const MAX_GROUP_ITEMS = 512;
const MAX_GROUP_BYTES = 256 * 1024;

/** The maximum number of waiting requests, which bounds the memory of a flood (for their bodies see receive.ts). */
const MAX_WAITING = 5_000;

/**
 * A sender at twenty times its rate is rejected thousands of times a second, a few times in each admission. A job for each
 * few would cost workers the time that polite senders' actions need. A single rejection does not wait.
 */
const REFUSALS_APART_MS = 10;

/**
 * From this share of the limit on, rows of refusals get no bodies. They are the only part of a refusal that is large, and a
 * queue of them would fill Redis long before it is at its limit.
 */
const BODIES_UNTIL = 0.01;
/** With a low limit this many groups keep their bodies. They have 5 MiB at most. */
const GROUPS_WITH_BODIES = 20;

/** Opens the path into one shard. Its gate begins to poll Redis. */
export function createLane(deps: LaneDeps): Lane {
  const { config, redis, keyspace, replicaWait, lanes, allowed, logger, onActions, onRefusals } = deps;
  const { onMoved, onLostWrites } = deps;
  const producer = createProducer({ redis, prefix: keyspace.prefix });
  const node = createShardNode(redis, keyspace);
  const backlogLimit = Math.ceil(config.BACKLOG_LIMIT / lanes);
  const bodiesUntil = Math.max(BODIES_UNTIL, GROUPS_WITH_BODIES / backlogLimit);
  const history = watchHistory(onMoved);
  const confirmed: Confirmed = { job: 0, atMs: 0 };
  const lookForLostWrites = watchLostWrites(confirmed, onLostWrites);
  const gate = createGate({
    redis,
    async readVitals() {
      await allowed();
      const sawNewest = lookForLostWrites();
      const vitals = await readRedisVitals(node, producer);
      sawNewest(vitals.lastActions);
      history.saw(vitals.replicationId);
      return vitals;
    },
    backlogLimit,
    memoryLimitPercent: config.REDIS_MEMORY_LIMIT_PERCENT,
    replicasWanted: config.REDIS_WAIT_REPLICAS,
    ...gateLog({ logger, shard: lanes > 1 ? keyspace.tag : undefined }),
  });
  const admitGroup = createAdmitGroup({
    admit: createAdmit({ redis, keyspace, badSignaturesPerMinute: config.BAD_SIGNATURES_PER_MINUTE }),
    defaultRate: { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST },
    plans: config.PLANS,
    backlogFull: gate.backlogFull,
    backlog: gate.backlog,
    packFrom: Math.ceil(config.PACK_FROM_GROUPS / lanes),
    replicaWait,
    onActions,
    confirmed,
  });
  const connection = shardConnection(redis, keyspace);
  const groupsOf = <Item, Result>(
    unavailable: Result,
    commit: (items: readonly Item[]) => Promise<readonly Result[]>,
    options: Pick<BatcherOptions<Item, Result>, 'sizeOf' | 'apartMs'>,
  ) =>
    createBatcher<Item, Result>({
      ...options,
      run: (items) =>
        commit(items).catch((error: unknown) => {
          logger.warn({ event: 'group.failed', err: error, requests: items.length }, 'group not committed');
          return items.map(() => unavailable);
        }),
      maxItems: MAX_GROUP_ITEMS,
      maxSize: MAX_GROUP_BYTES,
      late: { result: unavailable, maxWaiting: Math.ceil(MAX_WAITING / lanes) },
    });
  const guard = redis.isCluster ? unlessMoved({ commit: admitGroup, connection, onMoved }) : undefined;
  const admissions =
    guard === undefined
      ? groupsOf(UNAVAILABLE, (group: readonly Candidate[]) => admitGroup(group), {
          sizeOf: ({ bytes }) => bytes,
        })
      : stamped(guard, groupsOf(UNAVAILABLE, guard.commit, { sizeOf: ({ item }) => item.bytes }));
  const refusals = groupsOf<RefusedRequest, RowDone>(
    'unavailable',
    async (rows) => {
      await commitRefusals({ producer, replicaWait, onRefusals }, rows);
      return rows.map(() => 'enqueued');
    },
    { sizeOf: bytesOfRefusal, apartMs: REFUSALS_APART_MS },
  );
  return {
    gate,
    admissions,
    refusals: {
      async submit(row, deadlineMs) {
        const { refusals: fullness } = gate.fullness();
        if (fullness > 1) return 'full';
        return refusals.submit(fullness > bodiesUntil ? withoutBody(row) : row, deadlineMs);
      },
    },
    async close() {
      await admissions.idle();
      await refusals.idle();
      gate.stop();
      await producer.close();
    },
  };
}

function stamped(
  guard: UnlessMoved<Candidate>,
  { submit, idle }: Batcher<Stamped<Candidate>, Decision>,
): Batcher<Candidate, Decision> {
  return { submit: (candidate, deadlineMs) => submit(guard.stamp(candidate), deadlineMs), idle };
}

/** Enqueues the log rows of rejected requests as one job. */
export async function commitRefusals(
  {
    producer,
    replicaWait,
    onRefusals,
  }: Pick<LaneDeps, 'replicaWait' | 'onRefusals'> & { readonly producer: Pick<Producer, 'enqueueRefusals'> },
  refusals: readonly RefusedRequest[],
): Promise<void> {
  const held = replicaWait();
  await producer.enqueueRefusals({ v: GROUP_VERSION, group_id: newId('grp'), refusals });
  await held();
  onRefusals(refusals.length);
}
