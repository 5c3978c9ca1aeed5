import { Redis } from 'ioredis';

/** Measurements of a Redis that is in use. */
export interface RedisFacts {
  /** Jobs of a BullMQ queue that wait or are in work. */
  jobs(queuePrefix: string): Promise<number>;
  /** Memory that Redis uses for data. */
  usedBytes(): Promise<number>;
  stop(): Promise<void>;
}

export function redisFacts(url: string): RedisFacts {
  const redis = new Redis(url);
  return {
    async jobs(queuePrefix) {
      const [waiting, active] = await Promise.all([
        redis.llen(`${queuePrefix}:wait`),
        redis.llen(`${queuePrefix}:active`),
      ]);
      return waiting + active;
    },
    async usedBytes() {
      return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    },
    stop: async () => redis.disconnect(),
  };
}
