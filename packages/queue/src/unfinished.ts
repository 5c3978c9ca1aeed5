import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { NO_VERSION_CHECK } from './catalog.ts';

/** Counts the unfinished groups of a prefix: waiting, active, delayed or failed. */
export async function countUnfinished({ redis, prefix }: { redis: Redis; prefix: string }): Promise<number> {
  const counts = (['actions', 'refusals'] as const).map(async (name) => {
    const queue = new Queue(name, { ...NO_VERSION_CHECK, connection: redis, prefix, skipMetasUpdate: true });
    // The connection logs its own errors, and a failed call rejects.
    queue.on('error', () => undefined);
    try {
      return await queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized', 'failed');
    } finally {
      await queue.close();
    }
  });
  return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
}
