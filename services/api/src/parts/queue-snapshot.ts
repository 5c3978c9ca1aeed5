import type { QueueByState } from '@sluice/dashboard-api/overview';
import { type Activity, INSTALLATION } from '@sluice/monitoring/activity';
import { GONE_MS, readReplicas } from '@sluice/monitoring/replicas';
import type { QueueState, QueueStates } from '@sluice/queue/queue-states';
import type { Keyspace } from '@sluice/redis/keyspace';
import { type Repeated, repeat } from '@sluice/runtime/timing/repeat';
import type { Redis } from 'ioredis';

/** A snapshot of the queues, and of the processes that take from them. */
export interface QueueSnapshot {
  readonly queues: readonly QueueState[];
  /** Groups in all queues, in any state. */
  readonly depth: number;
  readonly byState: QueueByState;
  readonly workers: number;
  /** Dispatchers that can take turns. */
  readonly readyDispatchers: number;
  /** A process ignores the client addresses that a proxy sends. */
  readonly ignoresProxy: boolean;
  readonly oldestWaitingMs: number | null;
}

export type TakeQueueSnapshot = () => Promise<QueueSnapshot>;

export interface QueueSnapshotDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly queueStates: Pick<QueueStates, 'read' | 'countDeadLetters'>;
  readonly now: () => number;
}

export function createQueueSnapshots({
  redis,
  keyspace,
  queueStates,
  now,
}: QueueSnapshotDeps): TakeQueueSnapshot {
  return async () => {
    const at = now();
    const [queues, dead_letters, replicas] = await Promise.all([
      queueStates.read(),
      queueStates.countDeadLetters(),
      readReplicas({ redis, keyspace }, at),
    ]);
    const sum = (of: (queue: QueueState) => number) => queues.reduce((total, queue) => total + of(queue), 0);
    const waiting = sum((queue) => queue.waiting);
    const active = sum((queue) => queue.active);
    const delayed = sum((queue) => queue.delayed);
    const present = replicas.filter(({ last_seen_at }) => at - last_seen_at < GONE_MS);
    const oldest = Math.min(...queues.map(({ oldest_at }) => oldest_at ?? Number.POSITIVE_INFINITY));
    return {
      queues,
      depth: waiting + active + delayed,
      byState: { waiting, active, delayed, dead_letters },
      workers: present.filter(({ kind }) => kind === 'worker').length,
      readyDispatchers: present.filter(({ kind, trouble }) => kind === 'dispatcher' && trouble === null)
        .length,
      ignoresProxy: present.some(({ ignores_proxy }) => ignores_proxy === true),
      oldestWaitingMs: Number.isFinite(oldest) ? Math.max(0, at - oldest) : null,
    };
  };
}

const SAMPLE_MS = 10_000;

/** Samples depth and workers for the chart. With several replicas the last sample counts. */
export function sampleQueues(
  takeSnapshot: TakeQueueSnapshot,
  activity: Pick<Activity, 'set'>,
  now: () => number,
): Repeated {
  const sample = async (): Promise<void> => {
    const seen = await takeSnapshot();
    activity.set(INSTALLATION, now(), 'max:queue', seen.depth);
    activity.set(INSTALLATION, now(), 'max:workers', seen.workers);
    for (const [state, count] of Object.entries(seen.byState))
      activity.set(INSTALLATION, now(), `max:${state}`, count);
  };
  // While Redis is away, the chart correctly shows a gap.
  const sampling = repeat({ run: sample, everyMs: SAMPLE_MS, onError: () => undefined });
  sampling.runNow();
  return sampling;
}
