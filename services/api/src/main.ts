import { setTimeout as pause } from 'node:timers/promises';
import { startHeartbeat } from '@sluice/activity/replicas';
import { watchKey } from '@sluice/management/watch-key';
import { startAdminServer } from '@sluice/runtime/http/admin-server';
import { closeServer, closingTimes } from '@sluice/runtime/http/close-server';
import { listen } from '@sluice/runtime/http/listen';
import { refuseToStart } from '@sluice/runtime/process/refuse-to-start';
import { createReleasers } from '@sluice/runtime/process/releasers';
import { stopOnSignal } from '@sluice/runtime/process/shutdown';
import { connectRedis } from '@sluice/runtime/redis/redis-connection';
import { observeClock } from '@sluice/runtime/telemetry/clock-offset';
import { logConsole } from '@sluice/runtime/telemetry/log-console';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { createShardCount, explainShardCount } from '@sluice/shards/shard-count';
import { createShards } from '@sluice/shards/shards';
import { connectStore } from '@sluice/store/connect';
import { toldOf } from '@sluice/store/mongo-refusal';
import { whyTooNew } from '@sluice/store/schema-version';
import { createApi } from './api.ts';
import { readConfig } from './config.ts';
import { createObserver } from './observe.ts';
import { observeInstallation } from './ops/observe-installation.ts';
import { createHttpServer } from './server.ts';
import { warnOfUnknownPlans } from './unknown-plans.ts';

const PREPARE_AGAIN_MS = 1000;

/** Accounts may be moved to other shards while a process that was taken for stopped runs. */
const LOOK_AT_SHARDS_MS = 1000;

const config = readConfig();
const logger = createLogger({ service: 'api', level: config.LOG_LEVEL });
logConsole(logger);
const releasers = createReleasers({ logger });
const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1000;
stopOnSignal({ releasers, logger, graceMs });

const redis = connectRedis({ url: config.REDIS_URL, name: 'sluice-api', role: 'request', logger });
releasers.push('redis', () => redis.disconnect());

const store = connectStore({
  url: config.MONGO_URL,
  namespace: config.SLUICE_NAMESPACE,
  deliveryRetentionDays: config.DELIVERY_RETENTION_DAYS,
  logger,
});
releasers.push('mongodb', () => store.close());

const { SLUICE_NAMESPACE: namespace, QUEUE_SHARDS: count } = config;
const shards = createShards(namespace, count);
const metrics = createMetrics({ service: 'api' });
observeClock({ metrics, redis });
const api = createApi({ config, redis, store, logger, observer: createObserver({ logger, metrics }) });
observeInstallation({ ...api, metrics, redis, shards, now: Date.now });
releasers.push('api', () => api.close());

const shardCount = createShardCount({ redis, namespace, count });
const looking = setInterval(() => void refuseOtherShards(), LOOK_AT_SHARDS_MS);
releasers.push('shards', () => clearInterval(looking));

const key = watchKey({ ...store, keyring: api.keyring, logger });
releasers.push('key', () => key.stop());

let prepared = false;
const heartbeat = startHeartbeat({
  redis,
  keyspace: shards.first,
  kind: 'api',
  trouble: () => (prepared ? key.trouble() : 'the database is not prepared yet'),
  ignoresProxy: api.ignoresProxy,
});
releasers.push('heartbeat', () => heartbeat.stop());
const admin = await startAdminServer({
  port: config.API_ADMIN_PORT,
  host: config.HOST,
  variable: 'API_ADMIN_PORT',
  checks: {
    redis: () => redis.ping(),
    mongodb: () => store.ping(),
    async shards() {
      const found = await shardCount();
      if (found.status !== 'agreed') throw new Error(explainShardCount(found, count));
    },
    secret_key: () => {
      const trouble = key.trouble();
      if (trouble !== null) throw new Error(trouble);
    },
    database: () => {
      if (!prepared) throw new Error('not prepared yet');
    },
  },
  metrics,
  logger,
});
releasers.push('admin server', () => admin.close());

const server = createHttpServer(api.app);
const times = closingTimes({ graceMs, drainMs: config.DRAIN_MS });
const closing = { ...times, endStreams: () => api.endStreams() };
releasers.push('server', () => closeServer(server, closing), { deadlineMs: graceMs });
const { url } = await listen({ server, port: config.API_PORT, host: config.HOST, variable: 'API_PORT' });
releasers.push('readiness', () => admin.setDraining());
logger.info({ event: 'api.listening', url }, 'listening');
await prepareDatabase();

/** No two users have the same email only once the index says so: until then the API is not ready. */
async function prepareDatabase(): Promise<void> {
  await store.opened().catch(() => undefined);
  let told: string | undefined;
  while (!prepared) {
    try {
      const fit = await store.migrate({ onMigration: noteMigration });
      if (fit.status === 'too_new')
        await refuseToStart({ logger, releasers }, { event: 'schema.too_new', ...fit }, whyTooNew(fit));
      await store.ensureIndexes({ fit });
      await warnOfUnknownPlans({ ...store, plans: config.PLANS, logger });
      prepared = true;
    } catch (error) {
      const reason = (error as Error).message;
      if (reason !== told)
        logger.warn(
          { event: 'database.unprepared', ...toldOf(error) },
          'migrations or indexes failed; trying again',
        );
      told = reason;
      await pause(PREPARE_AGAIN_MS);
    }
  }
}

function noteMigration(migration: object): void {
  logger.info({ event: 'schema.migrating', ...migration }, 'migrating the database');
}

/** With another number of shards it would fence sources where nobody looks. */
async function refuseOtherShards(): Promise<void> {
  const found = await shardCount().catch(() => undefined);
  if (found === undefined || found.status === 'agreed') return;
  clearInterval(looking);
  const fields = { event: 'shards.refused', ...found };
  await refuseToStart({ logger, releasers }, fields, explainShardCount(found, count));
}
