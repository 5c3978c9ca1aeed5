import { startService } from './processes.ts';
import { startBenchRedis } from './redis.ts';
import { redisFacts } from './redis-facts.ts';
import { startSender } from './sender.ts';
import { publishSources, SERVICE_ENV } from './sources.ts';
import { onStage } from './stage.ts';

export interface Backlog {
  readonly actions: number;
  /** Growth of Redis's memory, including the entry of each request that detects a repetition. Bytes. */
  readonly bytes: number;
  readonly ingressMiB: number;
}

const CONNECTIONS = 64;
/** Number of requests that are signed in memory at a time. */
const CHUNK = 50_000;

/** Accepts requests without a worker that applies them. */
export function measureBacklog(actions: number): Promise<Backlog> {
  return onStage(async (keep) => {
    const redis = await keep(startBenchRedis());
    const facts = await keep(redisFacts(redis.url));
    const targets = await publishSources(redis.url);
    const env = { ...SERVICE_ENV, REDIS_URL: redis.url, MONGO_URL: 'mongodb://127.0.0.1:1' };
    const ingress = await keep(startService('ingress', env));
    const sender = await keep(startSender({ targets }));
    const empty = await facts.usedBytes();
    for (let left = actions; left > 0; left -= CHUNK) {
      const count = Math.min(CHUNK, left);
      await sender.prepare(count);
      await sender.send({ mode: 'closed', urls: [ingress.url], connections: CONNECTIONS, count });
    }
    return { actions, bytes: (await facts.usedBytes()) - empty, ingressMiB: await ingress.rssMiB() };
  });
}
