import { type Activity, INSTALLATION } from '@sluice/activity/activity';
import { readReplicas } from '@sluice/activity/replicas';
import type { QueueByState } from '@sluice/dashboard-api/overview';
import type { QueueState, QueueStates } from '@sluice/queue/queue-states';
import type { Keyspace } from '@sluice/shards/keyspace';
import type { Redis } from 'ioredis';

/** How much waits for how many. */
export interface QueueLook {
  readonly queues: readonly QueueState[];
  /** Groups in all queues, in whatever state. */
  readonly depth: number;
  readonly byState: QueueByState;
  readonly workers: number;
  /** A process ignores the client addresses that a proxy names. */
  readonly ignoresProxy: boolean;
  readonly oldestWaitingMs: number | null;
}

export type LookAtQueues = () => Promise<QueueLook>;

export interface LookAtQueuesDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly queueStates: Pick<QueueStates, 'read' | 'countDeadLetters'>;
  readonly now: () => number;
}

/** A worker that said nothing for so long is not counted. */
export const GONE_MS = 10_000;

export function createLookAtQueues({ redis, keyspace, queueStates, now }: LookAtQueuesDeps): LookAtQueues {
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
      ignoresProxy: present.some(({ ignores_proxy }) => ignores_proxy === true),
      oldestWaitingMs: Number.isFinite(oldest) ? Math.max(0, at - oldest) : null,
    };
  };
}

const SAMPLE_MS = 10_000;

/** Notes depth and workers now and then for the chart; with several replicas the last one to look counts. */
export function sampleQueues(
  look: LookAtQueues,
  activity: Pick<Activity, 'set'>,
  now: () => number,
): { stop(): void } {
  const sample = async (): Promise<void> => {
    // A Redis that is away leaves a gap in the chart, which is the truth.
    const seen = await look().catch(() => undefined);
    if (seen === undefined) return;
    activity.set(INSTALLATION, now(), 'max:queue', seen.depth);
    activity.set(INSTALLATION, now(), 'max:workers', seen.workers);
    for (const [state, count] of Object.entries(seen.byState))
      activity.set(INSTALLATION, now(), `max:${state}`, count);
  };
  void sample();
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
