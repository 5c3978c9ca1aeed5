import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type OutboundPipeline, startOutboundPipeline } from '../../dispatcher/support/outbound-pipeline.ts';
import { startSlowProxy } from '../../faults/support/slow-proxy.ts';
import type { TestSource } from '../../support/ingress.ts';
import { send } from '../../support/post.ts';
import { type RedisServer, startRedis } from '../../support/redis-server.ts';
import { type RefusingMongo, startRefusingMongo } from '../../support/refusing-mongo.ts';
import { type ServiceProcess, startService } from '../../support/service-process.ts';
import { signed, upsertBody } from '../../support/signed.ts';

/** One process of each kind, a sender of ten requests a second, and links to the stores that can fail. */
export interface PlayedStack {
  readonly pipeline: OutboundPipeline;
  readonly source: TestSource;
  readonly redis: RedisServer;
  /** A connection past the links. */
  readonly admin: Redis;
  readonly mongoLink: RefusingMongo;
  readonly services: Readonly<Record<'ingress' | 'worker' | 'dispatcher' | 'api', ServiceProcess>>;
  /** Adds 0.4 s to each direction of the link to Redis. */
  slowRedis(slow: boolean): void;
  /** Switches the sender on or off. */
  traffic(on: boolean): void;
  stop(): Promise<void>;
}

const REQUEST_EVERY_MS = 100;

export async function startPlayedStack(): Promise<PlayedStack> {
  const redis = await startRedis({ aof: true });
  const slow = { now: false };
  const redisLink = await startSlowProxy(redis.url, { delayMs: 0, lost: () => slow.now });
  let mongoLink: RefusingMongo | undefined;
  const pipeline = await startOutboundPipeline({
    redisUrl: redisLink.url,
    beforeMongo: async (url) => {
      mongoLink = await startRefusingMongo(url);
      return mongoLink.url;
    },
  });
  const api = startService('api', { ...pipeline.env });
  const [ingress, worker, dispatcher] = [
    pipeline.ingresses[0],
    pipeline.workers[0],
    pipeline.dispatchers[0],
  ] as [ServiceProcess, ServiceProcess, ServiceProcess];
  await Promise.all([api.ready(), worker.ready()]);
  const source = await pipeline.addSource();
  const admin = new Redis(redis.url, { retryStrategy: () => 100 });
  admin.on('error', () => {});
  const sender = { on: true, ended: false };
  const sending = sendAll();
  return {
    ...{ pipeline, source, redis, admin },
    mongoLink: mongoLink as RefusingMongo,
    services: { ingress, worker, dispatcher, api },
    slowRedis: (isSlow) => {
      slow.now = isSlow;
    },
    traffic: (on) => {
      sender.on = on;
    },
    async stop() {
      sender.ended = true;
      await sending;
      admin.disconnect();
      await api.kill('SIGKILL');
      await pipeline.stop();
      await mongoLink?.close();
      await redisLink.close();
      await redis.stop();
    },
  };

  async function sendAll(): Promise<void> {
    while (!sender.ended) {
      await sleep(REQUEST_EVERY_MS);
      // A fault may break requests. The alerts must see that.
      if (sender.on)
        void send(
          pipeline.urls[0] + source.path,
          signed({ secret: source.secret, body: upsertBody() }),
        ).catch(() => undefined);
    }
  }
}
