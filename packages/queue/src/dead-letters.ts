import type { DeadLetter } from '@sluice/contract/delivery/groups';
import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { EVENTS_MAX_LENGTH, JOB_OPTIONS, NO_VERSION_CHECK } from './catalog.ts';

/** A dead letter, with the id of its delivery. */
export interface StoredDeadLetter extends DeadLetter {
  readonly delivery_id: string;
}

export interface DeadLetterPage {
  /** Loads the letters in portions. A letter that was removed meanwhile is left out. */
  readonly letters: AsyncIterable<StoredDeadLetter>;
  /** The number of letters in the queue, and of those behind this page. */
  readonly total: number;
  readonly left: number;
  /** The id of the last letter, which is `after` of the next page. Undefined: the page is empty. */
  readonly last: string | undefined;
}

/** The most letters that are loaded together. */
const PORTION = 500;

/** Actions that can never be applied unchanged. No worker takes them: an operator retries or drops each one. */
export interface DeadLetters {
  /** Stores a letter under the id of its delivery. An existing letter stays. */
  add(deliveryId: string, letter: DeadLetter): Promise<void>;
  /** Lists letters, oldest first, skipping the first `from`. */
  list(limit: number, from?: number): Promise<StoredDeadLetter[]>;
  /**
   * A page, oldest first: of the letters behind `after`, the first `limit`. Undefined when there is no letter `after`, which
   * may have been retried or dropped meanwhile.
   */
  page(limit: number, after?: string): Promise<DeadLetterPage | undefined>;
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
  const get = async (deliveryId: string) => {
    const job = await queue.getJob(deliveryId);
    return job === undefined ? undefined : toLetter(job);
  };
  return {
    async add(deliveryId, letter) {
      await queue.add('dead-letter', letter, { jobId: deliveryId });
    },
    async list(limit, from = 0) {
      if (limit < 1) return [];
      const jobs = await queue.getJobs(['waiting'], from, from + limit - 1, true);
      return jobs.map(toLetter);
    },
    async page(limit, after) {
      const ids = await queue.getRanges(['waiting'], 0, -1, true);
      const start = after === undefined ? 0 : ids.indexOf(after) + 1;
      if (after !== undefined && start === 0) return undefined;
      const page = ids.slice(start, start + limit);
      const left = ids.length - start - page.length;
      return { letters: lettersOf(page, get), total: ids.length, left, last: page.at(-1) };
    },
    get,
    remove: async (deliveryId) => (await queue.remove(deliveryId)) === 1,
    count: () => queue.getWaitingCount(),
    close: () => queue.close(),
  };
}

async function* lettersOf(ids: readonly string[], get: DeadLetters['get']): AsyncGenerator<StoredDeadLetter> {
  for (let from = 0; from < ids.length; from += PORTION) {
    const letters = await Promise.all(ids.slice(from, from + PORTION).map(get));
    for (const letter of letters) if (letter !== undefined) yield letter;
  }
}

function toLetter(job: Job): StoredDeadLetter {
  return { delivery_id: job.id ?? '', ...(job.data as DeadLetter) };
}
