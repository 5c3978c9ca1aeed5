import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { NO_VERSION_CHECK, type QueueName } from './catalog.ts';

/** The backlog of a queue, and its age. */
export interface QueueState {
  readonly name: Exclude<QueueName, 'dead-letters'>;
  readonly waiting: number;
  readonly active: number;
  /** Jobs that were put off. */
  readonly delayed: number;
  /** When the oldest waiting job was enqueued, milliseconds since the Unix epoch; null: none waits. */
  readonly oldest_at: number | null;
}

export interface QueueStates {
  read(): Promise<readonly QueueState[]>;
  /** The number of dead letters. */
  countDeadLetters(): Promise<number>;
  /** The queues, for metrics. */
  readonly queues: readonly Queue[];
  close(): Promise<void>;
}

/** The caller closes `redis`. */
export function createQueueStates({
  redis,
  prefixes,
}: {
  redis: Redis;
  /** One prefix for each shard. Dead letters are in the first. */
  prefixes: readonly string[];
}): QueueStates {
  const open = (name: QueueName, prefix: string) => {
    const queue = new Queue(name, {
      ...NO_VERSION_CHECK,
      connection: redis,
      prefix,
      // Reading must write nothing: the shard count takes BullMQ's key as a sign that Redis was in use before.
      skipMetasUpdate: true,
    });
    // The connection logs its own errors, and a failed call rejects.
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

/** Adds up the queues of one name in all shards. */
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
