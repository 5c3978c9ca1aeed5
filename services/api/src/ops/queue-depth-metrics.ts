import { countQueues } from '@sluice/queue/count-queues';
import type { QueueStates } from '@sluice/queue/queue-states';
import type { MetricInfo, Sample, Samples } from './metric-samples.ts';

export const QUEUE_GAUGES: readonly MetricInfo[] = [
  ['bullmq_job_count', 'Jobs (groups, or dead letters) in a queue by state.', 'queue', 'state'],
  [
    'webhook_queue_oldest_age_seconds',
    'Age of the oldest group that is waiting or active; 0: none.',
    'queue',
  ],
];
export const QUEUE_COUNTERS: readonly MetricInfo[] = [
  ['bullmq_job_completed_total', 'Jobs that workers finished.', 'queue'],
  ['bullmq_job_failed_total', 'Jobs that BullMQ gave up. Normally 0.', 'queue'],
];

const WORK_QUEUES: readonly string[] = ['actions', 'refusals'];

/** Reads how many jobs each queue has, over all shards, and how old the oldest is. Rejects if Redis does not respond. */
export async function queueDepth(
  { queues: opened }: Pick<QueueStates, 'queues'>,
  now: () => number,
): Promise<Samples> {
  const queues = await countQueues(opened);
  return {
    bullmq_job_count: queues.flatMap(({ name: queue, states }) =>
      Object.entries(states).map(([state, value]): Sample => [{ queue, state }, value]),
    ),
    bullmq_job_completed_total: queues.map(({ name: queue, completed }) => [{ queue }, completed]),
    bullmq_job_failed_total: queues.map(({ name: queue, failed }) => [{ queue }, failed]),
    webhook_queue_oldest_age_seconds: queues
      .filter(({ name }) => WORK_QUEUES.includes(name))
      .map(({ name: queue, oldest_at }) => [
        { queue },
        oldest_at === null ? 0 : Math.max(0, now() - oldest_at) / 1000,
      ]),
  };
}
