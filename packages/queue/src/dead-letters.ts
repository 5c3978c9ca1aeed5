import type { DeadLetter } from '@sluice/contract/groups';
import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { EVENTS_MAX_LENGTH, JOB_OPTIONS, NO_VERSION_CHECK } from './catalog.ts';

/** A dead letter, with the id of its delivery. */
export interface StoredDeadLetter extends DeadLetter {
  readonly delivery_id: string;
}

/** Actions that can never be applied unchanged. No worker takes them: an operator retries or drops each one. */
export interface DeadLetters {
  /** Stores a letter under the id of its delivery. An existing letter stays. */
  add(deliveryId: string, letter: DeadLetter): Promise<void>;
  /** Lists letters, oldest first, skipping the first `from`. */
  list(limit: number, from?: number): Promise<StoredDeadLetter[]>;
  get(deliveryId: string): Promise<StoredDeadLetter | undefined>;
  /** Resolves to false when there is no such letter. */
  remove(deliveryId: string): Promise<boolean>;
  count(): Promise<number>;
  close(): Promise<void>;
}

/** The caller closes `redis`. Its role decides whether calls wait while Redis is away. */
export function createDeadLetters({ redis, prefix }: { redis: Redis; prefix: string }): DeadLetters {
  const queue = new Queue('dead-letters', {
    ...NO_VERSION_CHECK,
    connection: redis,
    prefix,
    defaultJobOptions: JOB_OPTIONS['dead-letters'],
    streams: { events: { maxLen: EVENTS_MAX_LENGTH } },
  });
  // The connection logs its own errors, and a failed call rejects.
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
