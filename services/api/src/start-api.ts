import { watchKey } from '@sluice/accounts/keys/watch-key';
import { startHeartbeat } from '@sluice/monitoring/replicas';
import { connectForService } from '@sluice/redis/connection/connect-for-service';
import { pingRedis } from '@sluice/redis/connection/why-away';
import { createShards } from '@sluice/redis/shards/shards';
import { watchShardCount } from '@sluice/redis/shards/watch-shard-count';
import type { Service } from '@sluice/runtime/process/start-service';
import { connectStore } from '@sluice/store/connect';
import { createApi } from './api.ts';
import type { ApiConfig } from './config.ts';
import { createObserver } from './observe.ts';
import { observeInstallation } from './ops/observe-installation.ts';
import { createPreparation } from './preparation.ts';
import { createHttpServer } from './server.ts';

/**
 * Shorter than the time limit of a request, so that work behind a 503 fails instead of taking effect after MongoDB is back.
 * Milliseconds.
 */
const SERVER_SELECTION_MS = 1000;

/** Starts a whole API server. It listens before the database is prepared. Rejects when a port cannot be used. */
export async function startApi(service: Service<ApiConfig>): Promise<void> {
  const { config, logger, metrics, releasers, refuse } = service;
  const redis = connectForService(service, { name: 'sluice-api', role: 'request' });

  const store = connectStore({
    url: config.MONGO_URL,
    namespace: config.SLUICE_NAMESPACE,
    deliveryRetentionDays: config.DELIVERY_RETENTION_DAYS,
    serverSelectionMs: SERVER_SELECTION_MS,
    logger,
  });
  releasers.push('mongodb', () => store.close());

  const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
  const shards = createShards(namespace, count);
  const api = createApi({ config, redis, store, logger, observer: createObserver({ logger, metrics }) });
  observeInstallation({ ...api, metrics, redis, shards, now: Date.now });
  releasers.push('api', () => api.close());

  const shardCount = watchShardCount({ redis, namespace, count, refuse });
  releasers.push('shards', () => shardCount.stop());

  const key = watchKey({ ...store, keyring: api.keyring, logger });
  releasers.push('key', () => key.stop());

  const preparation = createPreparation({ store, plans: config.PLANS, logger, refuse });
  const admin = await service.openAdmin({
    port: config.API_ADMIN_PORT,
    variable: 'API_ADMIN_PORT',
    checks: {
      redis: () => pingRedis(redis),
      mongodb: () => store.ping(),
      shards: () => shardCount.check(),
      secret_key: () => {
        const trouble = key.trouble();
        if (trouble !== null) throw new Error(trouble);
      },
      database: () => {
        if (!preparation.done()) throw new Error('not prepared yet');
      },
    },
  });
  const heartbeat = startHeartbeat({
    redis,
    keyspace: shards.first,
    kind: 'api',
    trouble: admin.trouble,
    ignoresProxy: api.ignoresProxy,
    mails: config.SMTP_URL !== undefined,
  });
  releasers.push('heartbeat', () => heartbeat.stop());
  await service.serve({
    server: createHttpServer(api.app),
    port: config.API_PORT,
    variable: 'API_PORT',
    event: 'api.listening',
    drainMs: config.DRAIN_MS,
    endStreams: () => api.endStreams(),
    admin,
  });
  await preparation.run();
}
