import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Keyspace } from '@sluice/redis/keyspace';
import type { Redis } from 'ioredis';

export type ReplicaKind = 'ingress' | 'worker' | 'dispatcher' | 'api';

/** The last heartbeat of a running process. Times are milliseconds since the Unix epoch, by its clock. */
export interface ReplicaState {
  readonly replica_id: string;
  readonly kind: ReplicaKind;
  readonly host: string;
  readonly pid: number;
  /** Why it cannot work now; null if it can. */
  readonly trouble: string | null;
  /** It ignores the client addresses that a proxy names (runtime's proxy-watch.ts). */
  readonly ignores_proxy: boolean;
  /** It mails the owners of accounts. Other kinds omit it. */
  readonly mails?: boolean;
  readonly started_at: number;
  readonly last_seen_at: number;
}

/** The heartbeat of a process. */
export interface Heartbeat {
  /** Removes the process at once, instead of after a timeout. */
  stop(): Promise<void>;
}

export interface HeartbeatDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly kind: ReplicaKind;
  /** Returns why it cannot work now; null if it can. */
  readonly trouble: () => Promise<string | null> | string | null;
  readonly ignoresProxy?: () => boolean;
  readonly mails?: boolean;
  readonly everyMs?: number;
}

const EVERY_MS = 2000;
/** A process that has not reported for this long is frozen or gone. */
export const GONE_MS = 10_000;
const FORGET_MS = MINUTE_MS;

/** Begins at once. Errors of Redis are ignored: readers see the time of the last heartbeat. */
export function startHeartbeat({
  redis,
  keyspace,
  kind,
  trouble,
  ignoresProxy = () => false,
  mails,
  everyMs = EVERY_MS,
}: HeartbeatDeps): Heartbeat {
  const replica_id = randomUUID();
  const fixed = { replica_id, kind, host: hostname(), pid: process.pid, started_at: Date.now() };
  let beating = false;
  let stopped = false;
  const beat = async (): Promise<void> => {
    if (beating) return; // one is waiting for its response
    beating = true;
    const why = await trouble();
    // A heartbeat after the last one would bring the process back.
    if (stopped) return;
    const state: ReplicaState = {
      ...fixed,
      trouble: why,
      ignores_proxy: ignoresProxy(),
      ...(mails !== undefined && { mails }),
      last_seen_at: Date.now(),
    };
    await redis.hset(keyspace.replicas, replica_id, JSON.stringify(state)).catch(() => undefined);
    beating = false;
  };
  void beat();
  // The first heartbeat fails while the connection is being made. Readers should not have to wait for the next interval.
  redis.once('ready', beat);
  const timer = setInterval(() => void beat(), everyMs);
  timer.unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      redis.off('ready', beat);
      if (redis.status === 'ready') await redis.hdel(keyspace.replicas, replica_id).catch(() => undefined);
    },
  };
}

/** Every replica with a heartbeat in the last minute. Others are removed. */
export async function readReplicas(
  { redis, keyspace }: { redis: Redis; keyspace: Keyspace },
  now: number,
): Promise<readonly ReplicaState[]> {
  const states = Object.values(await redis.hgetall(keyspace.replicas)).map(
    (text) => JSON.parse(text) as ReplicaState,
  );
  const silent = states.filter(({ last_seen_at }) => last_seen_at < now - FORGET_MS);
  if (silent.length > 0) await redis.hdel(keyspace.replicas, ...silent.map(({ replica_id }) => replica_id));
  return states.filter((state) => !silent.includes(state));
}
