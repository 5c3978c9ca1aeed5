import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { NO_VERSION_CHECK, type QueueName } from './catalog.ts';

/** How much waits in a queue, and since when. */
export interface QueueState {
  readonly name: Exclude<QueueName, 'dead-letters'>;
  readonly waiting: number;
  readonly active: number;
  /** Put off. */
  readonly delayed: number;
  /** When the oldest waiting job was enqueued, milliseconds since the Unix epoch; null: none waits. */
  readonly oldest_at: number | null;
}

export interface QueueStates {
  read(): Promise<readonly QueueState[]>;
  /** How many dead letters there are. */
  countDeadLetters(): Promise<number>;
  /** The queues themselves, for a board that shows them. */
  readonly queues: readonly Queue[];
  close(): Promise<void>;
}

/** `redis` stays the caller's. */
export function createQueueStates({
  redis,
  prefixes,
}: {
  redis: Redis;
  /** Of every shard; dead letters are in the first. */
  prefixes: readonly string[];
}): QueueStates {
  const open = (name: QueueName, prefix: string) => {
    const queue = new Queue(name, {
      ...NO_VERSION_CHECK,
      connection: redis,
      prefix,
      // Who only looks leaves no trace: by it the first who starts would take Redis for one in use (admission's shard count).
      skipMetasUpdate: true,
    });
    // The connection reports its own errors, and a verb that fails rejects.
    queue.on('error', () => undefined);
    return queue;
  };
  const ofAll = (name: QueueState['name']) => prefixes.map((prefix) => open(name, prefix));
  const actions = ofAll('actions');
  const refusals = ofAll('refusals');
  const deadLetters = open('dead-letters', prefixes[0] as string);
  const queues = [...actions, ...refusals, deadLetters];

  const stateOf = async (name: QueueState['name'], queue: Queue): Promise<QueueState> => {
    const [counts, [oldest]] = await Promise.all([
      queue.getJobCounts('waiting', 'delayed', 'active'),
      queue.getJobs(['waiting'], 0, 0, true) as Promise<(Job | undefined)[]>,
    ]);
    return {
      name,
      waiting: counts.waiting ?? 0,
      active: counts.active ?? 0,
      delayed: counts.delayed ?? 0,
      oldest_at: oldest?.timestamp ?? null,
    };
  };

  return {
    async read() {
      const read = (name: QueueState['name'], ofShards: readonly Queue[]) =>
        Promise.all(ofShards.map((queue) => stateOf(name, queue))).then(together);
      return Promise.all([read('actions', actions), read('refusals', refusals)]);
    },
    countDeadLetters: () => deadLetters.getWaitingCount(),
    queues,
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
    },
  };
}

/** The queues of one name in all shards, as one. */
function together(states: readonly QueueState[]): QueueState {
  const sum = (of: (state: QueueState) => number) => states.reduce((total, state) => total + of(state), 0);
  const oldest = states.flatMap(({ oldest_at }) => (oldest_at === null ? [] : [oldest_at]));
  return {
    name: (states[0] as QueueState).name,
    waiting: sum(({ waiting }) => waiting),
    active: sum(({ active }) => active),
    delayed: sum(({ delayed }) => delayed),
    oldest_at: oldest.length === 0 ? null : Math.min(...oldest),
  };
}
