import type { DeadLetter } from '@sluice/contract/groups';
import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { EVENTS_MAX_LENGTH, JOB_OPTIONS, NO_VERSION_CHECK } from './catalog.ts';

/** A dead letter with the delivery that it is named by. */
export interface StoredDeadLetter extends DeadLetter {
  readonly delivery_id: string;
}

/** Actions that can never be applied as they are. Nobody takes them; an operator runs each again, or drops it. */
export interface DeadLetters {
  /** Keeps a letter under the id of its delivery. Where one is kept already, that one stays. */
  add(deliveryId: string, letter: DeadLetter): Promise<void>;
  /** The oldest first, without so many of them (`from`). */
  list(limit: number, from?: number): Promise<StoredDeadLetter[]>;
  get(deliveryId: string): Promise<StoredDeadLetter | undefined>;
  /** False where there is none. */
  remove(deliveryId: string): Promise<boolean>;
  count(): Promise<number>;
  close(): Promise<void>;
}

/** `redis` stays the caller's; its role decides whether a Redis that is away is waited for. */
export function createDeadLetters({ redis, prefix }: { redis: Redis; prefix: string }): DeadLetters {
  const queue = new Queue('dead-letters', {
    ...NO_VERSION_CHECK,
    connection: redis,
    prefix,
    defaultJobOptions: JOB_OPTIONS['dead-letters'],
    streams: { events: { maxLen: EVENTS_MAX_LENGTH } },
  });
  // The connection reports its own errors, and a verb that fails rejects.
  queue.on('error', () => undefined);
  return {
    async add(deliveryId, letter) {
      await queue.add('dead-letter', letter, { jobId: deliveryId });
    },
    async list(limit, from = 0) {
      if (limit < 1) return [];
      const jobs = await queue.getJobs(['waiting'], from, from + limit - 1, true);
      return jobs.map(toLetter);
    },
    async get(deliveryId) {
      const job = await queue.getJob(deliveryId);
      return job === undefined ? undefined : toLetter(job);
    },
    remove: async (deliveryId) => (await queue.remove(deliveryId)) === 1,
    count: () => queue.getWaitingCount(),
    close: () => queue.close(),
  };
}

function toLetter(job: Job): StoredDeadLetter {
  return { delivery_id: job.id ?? '', ...(job.data as DeadLetter) };
}
