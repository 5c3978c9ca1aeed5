import type { Redis } from 'ioredis';

/** The groups that wait or that a worker processes, and those that BullMQ has failed (promised to be 0). */
export interface Queued {
  readonly waiting: number;
  /** Those of `waiting` that contain accepted requests. */
  readonly actions: number;
  readonly failed: number;
}

/** The sum over all shards, by the prefix of each. */
export async function countQueued(redis: Redis, prefixes: readonly string[]): Promise<Queued> {
  const counts = await Promise.all(prefixes.map((prefix) => countIn(redis, prefix)));
  return counts.reduce(addQueued);
}

async function countIn(redis: Redis, prefix: string): Promise<Queued> {
  const sum = async (counts: readonly Promise<number>[]) =>
    (await Promise.all(counts)).reduce((total, count) => total + count, 0);
  const waitingIn = (queue: string) => {
    const key = `${prefix}:${queue}`;
    return sum([redis.llen(`${key}:wait`), redis.llen(`${key}:active`), redis.zcard(`${key}:delayed`)]);
  };
  const [actions, refusals] = await Promise.all([waitingIn('actions'), waitingIn('refusals')]);
  const failed = await sum(['actions', 'refusals'].map((queue) => redis.zcard(`${prefix}:${queue}:failed`)));
  return { waiting: actions + refusals, actions, failed };
}

function addQueued(a: Queued, b: Queued): Queued {
  return { waiting: a.waiting + b.waiting, actions: a.actions + b.actions, failed: a.failed + b.failed };
}
