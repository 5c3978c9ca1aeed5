import { randomBytes } from 'node:crypto';
import { type RedisServer, startRedis } from './redis-server.ts';

/** The workers of `mocha --parallel` inherit it. */
const URL = 'SLUICE_TEST_REDIS_URL';
let server: RedisServer | undefined;

/** The Redis of this run: at REDIS_URL if that is set, or else one started before the first test. */
export function sharedRedisUrl(): string {
  const url = process.env[URL];
  if (url === undefined)
    throw new Error('the shared Redis runs only within mocha: see test/support/root-hooks.ts');
  return url;
}

/** A unique namespace. All data in Redis and MongoDB is in one. */
export function uniqueNamespace(label = 'test'): string {
  return `${label}-${randomBytes(6).toString('hex')}`;
}

/** Called before the run only. */
export async function openSharedRedis(): Promise<void> {
  if (!process.env.REDIS_URL) server = await startRedis();
  process.env[URL] = server?.url ?? process.env.REDIS_URL;
}

/** Called after the run only. */
export async function closeSharedRedis(): Promise<void> {
  await server?.stop();
}
