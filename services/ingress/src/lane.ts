import { createAdmit } from '@sluice/admission/admit';
import type { Keyspace } from '@sluice/admission/keyspace';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import { createShardNode } from '@sluice/admission/shard-node';
import { shardOwner } from '@sluice/admission/shard-owner';
import { newId } from '@sluice/credentials/ids';
import { createProducer } from '@sluice/queue/producer';
import type { Logger } from '@sluice/runtime/logger';
import type { Redis } from 'ioredis';
import { admitGroup, type GroupJob } from './admit/admit-group.ts';
import type { Candidate } from './admit/candidate.ts';
import type { IngressConfig } from './config.ts';
import { type CommittedRequest, commitRequests } from './enqueue/commit-requests.ts';
import { createGroupCommit, type GroupCommit } from './enqueue/group-commit.ts';
import { unlessMoved } from './enqueue/unless-moved.ts';
import { createGate, type Gate } from './gate/gate.ts';
import { readRedisVitals } from './gate/redis-vitals.ts';
import type { Observer } from './observe.ts';
import { ANSWER_WITHIN_MS } from './webhook.ts';

/** The way of one shard's requests into Redis: groups of their own, and a gate that closes for them alone. */
export interface Lane {
  readonly gate: Gate;
  readonly commits: GroupCommit<Candidate, CommittedRequest>;
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
  readonly onGroup: Observer['onGroup'];
  /** Told where the shard is on another server of a Cluster than before. */
  readonly onMoved: () => void;
}

/** Limits of one group: a job should stay well under what a worker applies before its lock runs out. */
const MAX_GROUP_ITEMS = 512;
const MAX_GROUP_BYTES = 256 * 1024;

/** Bounds the memory that a flood can take: at most this many requests wait, whatever their size (256 KiB each). */
const MAX_WAITING = 5_000;

/** Opens the way into one shard. Redis is looked at from now on. */
export function createLane(deps: LaneDeps): Lane {
  const { config, redis, keyspace, replicaWait, lanes, allowed, logger, onGroup, onMoved } = deps;
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
    onChange: (closed) => {
      const fields = { event: 'gate.changed', closed, ...(lanes > 1 && { shard: keyspace.tag }) };
      if (closed === null) logger.info(fields, 'gate open');
      else logger.warn(fields, 'gate closed: every request is answered 503');
    },
    onRefused: (error) =>
      logger.error(
        { event: 'gate.refused', reason: error.message },
        'Redis refuses to be looked at: every request is answered 503',
      ),
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
  const commitDeps = {
    admitGroup: (group: readonly Candidate[], job: GroupJob) => admitGroup(admitDeps, group, job),
    producer,
    replicaWait,
    newGroupId: () => newId('grp'),
    onGroup,
  };
  const commit = (candidates: readonly Candidate[]) => commitRequests(commitDeps, candidates);
  const owner = shardOwner(redis, keyspace);
  const commits = createGroupCommit<Candidate, CommittedRequest>({
    commit: redis.isCluster ? unlessMoved(commit, { owner, onMoved }) : commit,
    bytesOf: (candidate) => candidate.bytes,
    onError: (error, requests) =>
      logger.warn({ event: 'group.failed', err: error, requests }, 'group not committed'),
    maxItems: MAX_GROUP_ITEMS,
    maxBytes: MAX_GROUP_BYTES,
    maxWaiting: Math.ceil(MAX_WAITING / lanes),
    deadlineMs: ANSWER_WITHIN_MS,
  });
  return {
    gate,
    commits,
    async close() {
      await commits.idle();
      gate.stop();
      await producer.close();
    },
  };
}
