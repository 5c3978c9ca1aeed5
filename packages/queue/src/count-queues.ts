import type { Job, Queue } from 'bullmq';

/** BullMQ's counts for all queues of one name, and the age of their oldest job. */
export interface QueueCounts {
  readonly name: string;
  /** Keys are BullMQ's names: waiting, active, completed, failed, delayed, prioritized, waiting-children. */
  readonly states: Readonly<Record<string, number>>;
  /** The total since the first start, as workers counted it in Redis. */
  readonly completed: number;
  readonly failed: number;
  /** When the oldest waiting, delayed or active job was enqueued: milliseconds since the Unix epoch. */
  readonly oldest_at: number | null;
}

/** Adds up queues of the same name: the shards of one queue. */
export async function countQueues(queues: readonly Queue[]): Promise<readonly QueueCounts[]> {
  const byName = new Map<string, QueueCounts>();
  for (const counts of await Promise.all(queues.map(countQueue))) {
    const others = byName.get(counts.name);
    byName.set(counts.name, others === undefined ? counts : add(others, counts));
  }
  return [...byName.values()];
}

async function countQueue(queue: Queue): Promise<QueueCounts> {
  const oldestIn = (state: 'waiting' | 'delayed' | 'active') =>
    queue.getJobs([state], 0, 0, true) as Promise<(Job | undefined)[]>;
  const [states, completed, failed, [waiting], [putOff], [active]] = await Promise.all([
    queue.getJobCounts(),
    queue.getMetrics('completed', 0, 0),
    queue.getMetrics('failed', 0, 0),
    oldestIn('waiting'),
    // The job that is due next is about the oldest, because all are put off for the same time.
    oldestIn('delayed'),
    oldestIn('active'),
  ]);
  return {
    name: queue.name,
    states,
    completed: completed.meta.count,
    failed: failed.meta.count,
    oldest_at: [waiting, putOff, active].map((job) => job?.timestamp ?? null).reduce(earliest),
  };
}

function add(one: QueueCounts, other: QueueCounts): QueueCounts {
  const states = { ...one.states };
  for (const [state, count] of Object.entries(other.states)) states[state] = (states[state] ?? 0) + count;
  return {
    name: one.name,
    states,
    completed: one.completed + other.completed,
    failed: one.failed + other.failed,
    oldest_at: earliest(one.oldest_at, other.oldest_at),
  };
}

function earliest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
