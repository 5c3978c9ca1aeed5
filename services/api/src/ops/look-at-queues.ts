import { type Activity, INSTALLATION } from '@sluice/admission/activity';
import type { Keyspace } from '@sluice/admission/keyspace';
import { readReplicas } from '@sluice/admission/replicas';
import type { QueueState, QueueStates } from '@sluice/queue/queue-states';
import type { Redis } from 'ioredis';

/** How much waits for how many. */
export interface QueueLook {
  readonly queues: readonly QueueState[];
  readonly depth: number;
  readonly workers: number;
  readonly oldestWaitingMs: number | null;
}

export type LookAtQueues = () => Promise<QueueLook>;

export interface LookAtQueuesDeps {
  readonly redis: Redis;
  readonly keyspace: Keyspace;
  readonly queueStates: Pick<QueueStates, 'read'>;
  readonly now: () => number;
}

/** A worker that said nothing for so long is not counted. */
export const GONE_MS = 10_000;

export function createLookAtQueues({ redis, keyspace, queueStates, now }: LookAtQueuesDeps): LookAtQueues {
  return async () => {
    const at = now();
    const [queues, replicas] = await Promise.all([queueStates.read(), readReplicas({ redis, keyspace }, at)]);
    const depth = queues.reduce((sum, { waiting, active }) => sum + waiting + active, 0);
    const workers = replicas.filter(
      ({ kind, last_seen_at }) => kind === 'worker' && at - last_seen_at < GONE_MS,
    ).length;
    const oldest = Math.min(...queues.map(({ oldest_at }) => oldest_at ?? Number.POSITIVE_INFINITY));
    return {
      queues,
      depth,
      workers,
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
  };
  void sample();
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
