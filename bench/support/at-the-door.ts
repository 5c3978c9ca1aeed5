import { join } from 'node:path';
import type { Point } from './point.ts';
import { presign } from './presign.ts';
import { startService } from './processes.ts';
import { startBenchRedis } from './redis.ts';
import { redisFacts } from './redis-facts.ts';
import { publishSources, SERVICE_ENV } from './sources.ts';
import { onStage } from './stage.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { wrk } from './wrk.ts';

const CONNECTIONS = 64;

export function connectionsPoint(connections: number, quick: boolean): Promise<Point> {
  return atTheDoor({ connections, sources: 1, seconds: quick ? 2 : 6 });
}

export function sourcesPoint(sources: number, quick: boolean): Promise<Point> {
  return atTheDoor({ connections: CONNECTIONS, sources, seconds: quick ? 2 : 6 });
}

interface Door {
  readonly connections: number;
  readonly sources: number;
  readonly seconds: number;
}

/** More requests than the measured run can send, plus one warm-up request for each source. */
const REQUESTS_A_SECOND = 45_000;

/** The ingress alone, without worker and MongoDB. Each source has had one request before the clock starts. */
function atTheDoor({ connections, sources: wanted, seconds }: Door): Promise<Point> {
  return onStage(async (keep) => {
    const { path: dir } = await keep(temporaryFolder());
    const redis = await keep(startBenchRedis());
    const facts = await keep(redisFacts(redis.url));
    const targets = await publishSources(redis.url, wanted);
    const env = { ...SERVICE_ENV, REDIS_URL: redis.url, MONGO_URL: 'mongodb://127.0.0.1:1' };
    const ingress = await keep(startService('ingress', env));
    const requests = join(dir, 'requests');
    const count = REQUESTS_A_SECOND * (seconds + 2) + 2 * wanted;
    await presign({ file: requests, count, targets });
    const load = { url: ingress.url, requests, connections };
    let from = 0;
    while (from < Math.max(wanted, connections)) {
      const warm = await wrk({ ...load, seconds: 2, from });
      if (warm.not200 > 0) throw new Error(`${warm.not200} answers were not 200`);
      from += warm.requests + connections;
    }
    const empty = await facts.usedBytes();
    const before = [await ingress.cpuSeconds(), await redis.cpuSeconds()] as const;
    const result = await wrk({ ...load, seconds, from });
    if (result.not200 > 0) throw new Error(`${result.not200} answers were not 200`);
    if (from + result.requests > count) throw new Error('requests were sent twice: too few were prepared');
    const us = (now: number, then: number) => ((now - then) * 1e6) / result.requests;
    return {
      perSecond: result.requestsPerSecond,
      cpuUs: {
        ingress: us(await ingress.cpuSeconds(), before[0]),
        redis: us(await redis.cpuSeconds(), before[1]),
        worker: 0,
        store: 0,
      },
      mib: await ingress.rssMiB(),
      storeMiB: 0,
      redisBytes: ((await facts.usedBytes()) - empty) / result.requests,
    };
  });
}
