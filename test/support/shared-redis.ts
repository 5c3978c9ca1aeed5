import { randomBytes } from 'node:crypto';
import { type RedisServer, startRedis } from './redis-server.ts';

let server: RedisServer | undefined;
let url: string | undefined;

/** The Redis of this mocha run: at REDIS_URL if that is set, or else one started before the first test. */
export function sharedRedisUrl(): string {
  if (url === undefined)
    throw new Error('the shared Redis runs only within mocha: see test/support/root-hooks.ts');
  return url;
}

/** A unique namespace. All data in Redis and MongoDB is in one. */
export function uniqueNamespace(label = 'test'): string {
  return `${label}-${randomBytes(6).toString('hex')}`;
}

/** Called by the root hooks only. */
export async function openSharedRedis(): Promise<void> {
  if (process.env.REDIS_URL) {
    url = process.env.REDIS_URL;
    return;
  }
  server = await startRedis();
  url = server.url;
}

/** Called by the root hooks only. */
export async function closeSharedRedis(): Promise<void> {
  await server?.stop();
  server = undefined;
}
