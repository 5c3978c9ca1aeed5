import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { Redis } from 'ioredis';
import { type Measured, measured } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A fresh redis-server configured as in docker-compose.yml and `npm start`: an fsync for each write, rare rewrites, no eviction. */
export async function startBenchRedis(): Promise<Measured> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder.path,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    'auto-aof-rewrite-min-size': '512mb',
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const probe = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  probe.on('error', () => {});
  await probe.ping();
  probe.disconnect();
  const redis = measured(child, `redis://127.0.0.1:${port}`);
  return {
    ...redis,
    async stop() {
      await redis.stop();
      await folder.stop();
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Counts the jobs of a Redis. */
export interface JobCounter {
  /** Jobs of a BullMQ queue that wait or are in work. */
  jobs(queuePrefix: string): Promise<number>;
  stop(): Promise<void>;
}

export function countJobs(url: string): JobCounter {
  const redis = new Redis(url);
  return {
    async jobs(queuePrefix) {
      const [waiting, active] = await Promise.all([
        redis.llen(`${queuePrefix}:wait`),
        redis.llen(`${queuePrefix}:active`),
      ]);
      return waiting + active;
    },
    stop: async () => redis.disconnect(),
  };
}
