import { NO_VERSION_CHECK } from '@sluice/queue/catalog';
import { type Consumer, type ConsumerSettings, createConsumer } from '@sluice/queue/consumer';
import { type Job, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { patientRedis } from '../../support/redis-client.ts';
import { type RedisServer, type RedisServerSettings, startRedis } from '../../support/redis-server.ts';
import { until } from '../../support/until.ts';

export const PREFIX = '{consumer:0}';

/** A consumer with a separate Redis, which a test may kill, fill or freeze. */
export interface ConsumerBench {
  readonly server: RedisServer;
  readonly client: Redis;
  readonly queue: Queue;
  readonly consumer: Consumer;
  /** The events that it logged. */
  readonly events: (string | undefined)[];
  add(n: number): Promise<Job>;
  /** Resolves once the total of fetched jobs reaches `count`. */
  took(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openConsumerBench(
  settings: (server: RedisServer) => Partial<ConsumerSettings> = () => ({}),
  redis: RedisServerSettings = {},
): Promise<ConsumerBench> {
  const server = await startRedis(redis);
  const client = patientRedis(server.url);
  const queue = new Queue('actions', { ...NO_VERSION_CHECK, connection: client, prefix: PREFIX });
  queue.on('error', () => undefined);
  const events: (string | undefined)[] = [];
  const note = (fields: object) => void events.push((fields as { event?: string }).event);
  let taken = 0;
  const consumer = createConsumer({
    queue: 'actions',
    prefix: PREFIX,
    concurrency: 2,
    connect: (name) => patientRedis(server.url, name),
    handle: async () => {
      taken += 1;
      return 'done';
    },
    logger: { warn: note, error: note },
    ...settings(server),
  });
  return {
    server,
    client,
    queue,
    consumer,
    events,
    add: (n) => queue.add('group', { n }, { removeOnComplete: true }),
    took: (count) => until(() => taken === count, { what: `${count} jobs were taken` }),
    async close() {
      await consumer.close(1000);
      await queue.close();
      client.disconnect();
      await server.stop();
    },
  };
}
