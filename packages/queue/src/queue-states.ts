import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { EVENTS_MAX_LENGTH, type QueueName } from './catalog.ts';

/** How much waits in a queue, and since when. */
export interface QueueState {
  readonly name: Exclude<QueueName, 'dead-letters'>;
  /** With those that are put off. */
  readonly waiting: number;
  readonly active: number;
  /** When the oldest waiting job was enqueued, milliseconds since the Unix epoch; null: none waits. */
  readonly oldest_at: number | null;
}

export interface QueueStates {
  read(): Promise<readonly QueueState[]>;
  /** The queues themselves, for a board that shows them. */
  readonly queues: readonly Queue[];
  close(): Promise<void>;
}

/** `redis` stays the caller's. */
export function createQueueStates({ redis, prefix }: { redis: Redis; prefix: string }): QueueStates {
  const open = (name: QueueName) => {
    const queue = new Queue(name, {
      connection: redis,
      prefix,
      streams: { events: { maxLen: EVENTS_MAX_LENGTH } },
    });
    // The connection reports its own errors, and a verb that fails rejects.
    queue.on('error', () => undefined);
    return queue;
  };
  const queues = { actions: open('actions'), refusals: open('refusals'), letters: open('dead-letters') };

  const stateOf = async (name: QueueState['name'], queue: Queue): Promise<QueueState> => {
    const [counts, [oldest]] = await Promise.all([
      queue.getJobCounts('waiting', 'delayed', 'active'),
      queue.getJobs(['waiting'], 0, 0, true) as Promise<(Job | undefined)[]>,
    ]);
    return {
      name,
      waiting: (counts.waiting ?? 0) + (counts.delayed ?? 0),
      active: counts.active ?? 0,
      oldest_at: oldest?.timestamp ?? null,
    };
  };

  return {
    read: () => Promise.all([stateOf('actions', queues.actions), stateOf('refusals', queues.refusals)]),
    queues: Object.values(queues),
    async close() {
      await Promise.all(Object.values(queues).map((queue) => queue.close()));
    },
  };
}
