import { once } from 'node:events';
import { withoutCredentials } from '@sluice/runtime/config/without-credentials';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { within } from '@sluice/runtime/timing/within';
import type { Cluster, Redis } from 'ioredis';
import { CONNECT_TIMEOUT_MS, type OnClose } from './connecting.ts';
import { failed, tryAgainLater } from './exit-codes.ts';

/** Connects to Redis, of a Cluster to each master. Throws a failure with what to do if Redis is away, or refuses the connection. */
export async function connectToRedis(url: string, onClose: OnClose): Promise<Redis> {
  const { connectRedis } = await import('@sluice/redis/connection/redis-connection');
  const { reasonOf, redisRefusal } = await import('@sluice/redis/connection/redis-refusal');
  const logger = createLogger({ service: 'cli', level: 'silent' });
  const client = connectRedis({ url, name: 'sluice-cli', role: 'request', logger });
  onClose(() => client.disconnect());
  await untilReady(client, CONNECT_TIMEOUT_MS).catch(async (error: Error) => {
    const where = withoutCredentials(url);
    const reason = reasonOf(error);
    const refusal = await redisRefusal(url, reason);
    throw refusal === undefined
      ? tryAgainLater(`Redis at ${where} doesn't respond (${reason}). Start it and run this command again.`)
      : failed(`Redis at ${where} refuses the connection (${refusal.said}). ${refusal.advice}`);
  });
  if (client.isCluster) await connectMasters(client as unknown as Cluster);
  return client;
}

/**
 * A Cluster client connects to a master for the first command, and rejects the next ones until it is connected. A master
 * that is away stops only the commands that need it.
 */
async function connectMasters(cluster: Cluster): Promise<void> {
  await Promise.allSettled(cluster.nodes('master').map((master) => master.ping()));
}

/** Resolves once commands can be sent; rejects at the first failure to connect, and without a connection in time. */
async function untilReady(redis: Redis, patienceMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const over = new AbortController();
  const { signal } = over;
  try {
    // `once` rejects when `error` comes first.
    await within(patienceMs, once(redis, 'ready', { signal }), () => {
      throw new Error('no answer');
    });
  } finally {
    over.abort();
  }
}
