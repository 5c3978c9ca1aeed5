import { createAdmit } from '@sluice/admission/admit';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import type { RefusedRequest } from '@sluice/contract/groups';
import { newId } from '@sluice/credentials/ids';
import { createProducer } from '@sluice/queue/producer';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Keyspace } from '@sluice/shards/keyspace';
import { createShardNode } from '@sluice/shards/shard-node';
import { shardOwner } from '@sluice/shards/shard-owner';
import type { Redis } from 'ioredis';
import { admitGroup } from '../admit/admit-group.ts';
import type { Candidate } from '../admit/candidate.ts';
import type { Decision } from '../admit/decide.ts';
import { bytesOfRefusal } from '../admit/rows.ts';
import type { IngressConfig } from '../config.ts';
import { type CommitAdmissionsDeps, commitAdmissions } from '../enqueue/commit-admissions.ts';
import { type CommitRefusalsDeps, commitRefusals } from '../enqueue/commit-refusals.ts';
import { createGroupCommit, type GroupCommit } from '../enqueue/group-commit.ts';
import { unlessMoved } from '../enqueue/unless-moved.ts';
import { createGate, type Gate } from '../gate/gate.ts';
import { gateLog } from '../gate/gate-log.ts';
import { readRedisVitals } from '../gate/redis-vitals.ts';

/** The way of one shard's requests into Redis: groups of their own, and a gate that closes for them alone. */
export interface Lane {
  readonly gate: Gate;
  /** Decides on requests, and enqueues what is admitted. */
  readonly admissions: Pick<GroupCommit<Candidate, Decision>, 'submit'>;
  /** Enqueues the rows of refused ones. Apart, so that whoever is accepted does not wait for others' refusals. */
  readonly refusals: Pick<GroupCommit<RefusedRequest, unknown>, 'submit'>;
  close(): Promise<void>;
}

export interface LaneDeps {
  readonly config: IngressConfig;
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly replicaWait: ReplicaWait;
  /** How many lanes share what one process may hold. */
  readonly lanes: number;
  /** Rejects where nothing may be taken although Redis answers. */
  readonly allowed: () => Promise<void>;
  readonly logger: Logger;
  readonly onActions: CommitAdmissionsDeps['onActions'];
  readonly onRefusals: CommitRefusalsDeps['onRefusals'];
  /** Told where the shard is on another server of a Cluster than before. */
  readonly onMoved: () => void;
}

/** Limits of one group: a job should stay well under what a worker applies before its lock runs out. */
const MAX_GROUP_ITEMS = 512;
const MAX_GROUP_BYTES = 256 * 1024;

/** Bounds the memory that a flood can take: at most this many requests wait (for their bodies see waiting-bodies.ts). */
const MAX_WAITING = 5_000;

/**
 * A sender that goes on at twenty times its rate is refused thousands of times a second, a few in each admission: a job
 * for each few would take from the workers what polite senders' actions need. Alone, a refusal does not wait.
 */
const REFUSALS_APART_MS = 10;

/** Opens the way into one shard. Redis is looked at from now on. */
export function createLane(deps: LaneDeps): Lane {
  const { config, redis, keyspace, replicaWait, lanes, allowed, logger, onActions, onRefusals, onMoved } =
    deps;
  const producer = createProducer({ redis, prefix: keyspace.prefix });
  const node = createShardNode(redis, keyspace);
  const gate = createGate({
    isConnected: () => redis.status === 'ready',
    async readVitals() {
      await allowed();
      return readRedisVitals(node, producer);
    },
    backlogLimit: Math.ceil(config.BACKLOG_LIMIT / lanes),
    memoryLimitPercent: config.REDIS_MEMORY_LIMIT_PERCENT,
    replicasWanted: config.REDIS_WAIT_REPLICAS,
    ...gateLog({ logger, shard: lanes > 1 ? keyspace.tag : undefined }),
  });
  const admitDeps = {
    // With several lanes they are counted over all of them (see all-lanes.ts).
    admit: createAdmit({
      redis,
      keyspace,
      badSignaturesPerMinute: lanes === 1 ? config.BAD_SIGNATURES_PER_MINUTE : null,
    }),
    defaultRate: { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST },
    plans: config.PLANS,
    backlogFull: gate.backlogFull,
  };
  const newGroupId = () => newId('grp');
  const admissionDeps: CommitAdmissionsDeps = {
    admitGroup: (group, job) => admitGroup(admitDeps, group, job),
    replicaWait,
    newGroupId,
    onActions,
  };
  const admit = (candidates: readonly Candidate[]) => commitAdmissions(admissionDeps, candidates);
  const owner = shardOwner(redis, keyspace);
  const limits = {
    onError: (error: unknown, requests: number) =>
      logger.warn({ event: 'group.failed', err: error, requests }, 'group not committed'),
    maxItems: MAX_GROUP_ITEMS,
    maxBytes: MAX_GROUP_BYTES,
    maxWaiting: Math.ceil(MAX_WAITING / lanes),
  };
  const admissions = createGroupCommit<Candidate, Decision>({
    ...limits,
    commit: redis.isCluster ? unlessMoved(admit, { owner, onMoved }) : admit,
    bytesOf: (candidate) => candidate.bytes,
  });
  const refusals = createGroupCommit<RefusedRequest, RefusedRequest>({
    ...limits,
    commit: (rows) => commitRefusals({ producer, replicaWait, newGroupId, onRefusals }, rows),
    bytesOf: bytesOfRefusal,
    apartMs: REFUSALS_APART_MS,
  });
  return {
    gate,
    admissions,
    refusals,
    async close() {
      await admissions.idle();
      await refusals.idle();
      gate.stop();
      await producer.close();
    },
  };
}
