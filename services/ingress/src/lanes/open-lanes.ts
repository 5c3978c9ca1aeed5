import type { ReplicaWait } from '@sluice/admission/replica-wait';
import type { RefusedRequest } from '@sluice/contract/delivery/groups';
import { createShardCheck } from '@sluice/redis/shards/shard-check';
import type { Shards } from '@sluice/redis/shards/shards';
import type { Redis } from 'ioredis';
import { UNAVAILABLE } from '../admit/decide.ts';
import type { Candidate } from '../admit/rows.ts';
import type { IngressConfig } from '../config.ts';
import { createLane, type Lane, type LaneDeps } from './lane.ts';

export interface OpenLanesDeps
  extends Pick<LaneDeps, 'config' | 'logger' | 'onActions' | 'onRefusals' | 'onMoved' | 'onLostWrites'>,
    Pick<ShardsAllowedDeps, 'onRefused'> {
  readonly redis: Redis;
  readonly shards: Shards;
  /** One for each shard. */
  readonly replicaWaits: readonly ReplicaWait[];
}

/** Opens the path into every shard. With one shard it returns that shard's lane, so that requests pass no further code. */
export function openLanes(deps: OpenLanesDeps): Lane {
  const { shards, replicaWaits } = deps;
  const allowed = createShardsAllowed(deps);
  const lanes = shards.all.map((keyspace, shard) =>
    createLane({
      ...deps,
      allowed,
      lanes: shards.count,
      keyspace,
      replicaWait: replicaWaits[shard] as ReplicaWait,
    }),
  );
  return lanes.length === 1 ? (lanes[0] as Lane) : allLanes(lanes, shards);
}

/**
 * Combines several lanes: each request goes into the shard of its account, and the lanes flush in parallel. The gate is
 * closed only if all lanes are closed. A request whose lane is closed is unavailable at once.
 */
function allLanes(lanes: readonly Lane[], shards: Shards): Lane {
  const gates = lanes.map(({ gate }) => gate);
  const laneOf = (accountId: string) => lanes[shards.indexOf(accountId)] as Lane;
  return {
    gate: {
      closed() {
        let reason = null;
        for (const gate of gates) {
          reason = gate.closed();
          if (reason === null) return null;
        }
        return reason;
      },
      reasons: () => gates.flatMap((gate) => gate.reasons()),
      backlogFull: () => gates.some((gate) => gate.backlogFull()),
      backlog: () => gates.reduce((sum, gate) => sum + gate.backlog(), 0),
      fullness() {
        const all = gates.map((gate) => gate.fullness());
        return {
          actions: Math.max(...all.map(({ actions }) => actions)),
          refusals: Math.max(...all.map(({ refusals }) => refusals)),
        };
      },
      drain() {
        for (const gate of gates) gate.drain();
      },
      stop() {
        for (const gate of gates) gate.stop();
      },
    },
    admissions: {
      async submit(candidate: Candidate, deadlineMs?: number) {
        const lane = laneOf(candidate.source.record.account_id);
        return lane.gate.closed() === null ? lane.admissions.submit(candidate, deadlineMs) : UNAVAILABLE;
      },
    },
    refusals: {
      submit: (row: RefusedRequest, deadlineMs: number) =>
        laneOf(row.account_id).refusals.submit(row, deadlineMs),
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

export interface ShardsAllowedDeps {
  readonly redis: Redis;
  readonly config: Pick<IngressConfig, 'SLUICE_NAMESPACE' | 'QUEUE_SHARDS'>;
  /** Called once, with the fields and the message of a log line. */
  readonly onRefused: (fields: object, message: string) => unknown;
}

/**
 * Rejects if accounts are in other shards than this process expects, which keeps its gates closed. The check runs with every
 * poll of Redis, because an operator may move accounts while a process still runs.
 */
function createShardsAllowed({ redis, config, onRefused }: ShardsAllowedDeps): () => Promise<void> {
  const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
  const look = createShardCheck({ redis, namespace, count });
  let refused: Error | undefined;
  let agreed = false;
  let looking: Promise<void> | undefined;

  const lookAgain = async (): Promise<void> => {
    const found = await look();
    agreed = true;
    if (found === undefined || refused !== undefined) return;
    refused = new Error(found.message);
    onRefused(found.fields, found.message);
  };

  return async () => {
    looking ??= lookAgain().finally(() => {
      looking = undefined;
    });
    // Shard 0 stores the number and may be away while other shards respond. Then the last agreement counts.
    if (agreed) looking.catch(() => undefined);
    else await looking;
    if (refused !== undefined) throw refused;
  };
}
