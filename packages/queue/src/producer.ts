import type { ActionGroup, RefusalGroup } from '@sluice/contract/delivery/groups';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import {
  EVENTS_MAX_LENGTH,
  JOB_OPTIONS,
  NO_VERSION_CHECK,
  type QueueName,
  type QueuePayloads,
} from './catalog.ts';

/** The name of every job. */
export const JOB_NAME = 'group';

/** Adds groups to their queues. A resolved promise means that Redis has the job. */
export interface Producer {
  /** Rejects when Redis does not answer. Redis may have the job all the same. */
  enqueueActions(group: ActionGroup): Promise<void>;
  /** Rejects when Redis does not answer. Redis may have the job all the same. */
  enqueueRefusals(group: RefusalGroup): Promise<void>;
  /** Counts the waiting and active groups. */
  backlog(): Promise<{ readonly actions: number; readonly refusals: number }>;
  /** The id of the newest group of actions; 0: there was none. Redis counts them up, so a lower one means lost writes. */
  lastActions(): Promise<number>;
  close(): Promise<void>;
}

/** `redis` should have a `commandTimeout`: the producer adds no timeout. */
export function createProducer({ redis, prefix }: { redis: Redis; prefix: string }): Producer {
  const actions = createLazyQueue('actions', redis, prefix);
  const refusals = createLazyQueue('refusals', redis, prefix);
  return {
    enqueueActions: (group) => actions.add(group),
    enqueueRefusals: (group) => refusals.add(group),
    async backlog() {
      const [waitingActions, waitingRefusals] = await Promise.all([actions.length(), refusals.length()]);
      return { actions: waitingActions, refusals: waitingRefusals };
    },
    lastActions: async () => Number((await redis.get(`${prefix}:actions:id`)) ?? 0),
    async close() {
      await Promise.all([actions.close(), refusals.close()]);
    },
  };
}

interface LazyQueue<N extends QueueName> {
  add(payload: QueuePayloads[N]): Promise<void>;
  length(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Builds a Queue when Redis is ready, and again when that failed. A BullMQ Queue first asks Redis for its version. When that
 * fails, every later `add` of the same Queue rejects. While Redis is absent `add` waits forever.
 */
function createLazyQueue<N extends QueueName>(name: N, redis: Redis, prefix: string): LazyQueue<N> {
  let opening: Promise<Queue> | undefined;

  const open = async (): Promise<Queue> => {
    const queue = new Queue(name, {
      ...NO_VERSION_CHECK,
      connection: redis,
      prefix,
      defaultJobOptions: JOB_OPTIONS[name],
      streams: { events: { maxLen: EVENTS_MAX_LENGTH } },
    });
    // The caller of `add` gets the error. Without a listener it would also end the process.
    queue.on('error', () => undefined);
    await queue.waitUntilReady();
    return queue;
  };

  const opened = async (): Promise<Queue> => {
    if (redis.status !== 'ready') throw new Error(`not connected to Redis (${redis.status})`);
    opening ??= open();
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };

  return {
    async add(payload) {
      await (await opened()).add(JOB_NAME, payload);
    },
    async length() {
      const counts = await (await opened()).getJobCounts('waiting', 'active', 'delayed');
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}
