import { createKeyring } from '@sluice/credentials/seal';
import { watchKey } from '@sluice/management/watch-key';
import { startAdminServer } from '@sluice/runtime/http/admin-server';
import { closeServer, closingTimes } from '@sluice/runtime/http/close-server';
import { listen } from '@sluice/runtime/http/listen';
import { refuseToStart } from '@sluice/runtime/process/refuse-to-start';
import { createReleasers } from '@sluice/runtime/process/releasers';
import { stopOnSignal } from '@sluice/runtime/process/shutdown';
import { spareHeap } from '@sluice/runtime/process/sparing-heap';
import { connectRedis } from '@sluice/runtime/redis/redis-connection';
import { observeClock } from '@sluice/runtime/telemetry/clock-offset';
import { logConsole } from '@sluice/runtime/telemetry/log-console';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { startTracing } from '@sluice/runtime/telemetry/tracing/start-tracing';
import { createShards } from '@sluice/shards/shards';
import { connectStore } from '@sluice/store/connect';
import { checkSchema } from './check-schema.ts';
import { readConfig } from './config.ts';
import { firstLook } from './gate/first-look.ts';
import { keyedGate } from './gate/keyed-gate.ts';
import { observeGate } from './gate/observe-gate.ts';
import { createWeaknessWarning } from './gate/redis-durability.ts';
import { wrongEvictionPolicy } from './gate/redis-vitals.ts';
import { createIngress } from './ingress.ts';
import { createObserver } from './observe.ts';
import { createActivityPublisher } from './publish-activity.ts';
import { traceRequests } from './trace/request-trace.ts';

spareHeap({ growths: [40, 0], tooOftenMs: 700, rarelyMs: 8_000 });
const config = readConfig();
const logger = createLogger({ service: 'ingress', level: config.LOG_LEVEL });
logConsole(logger);
const releasers = createReleasers({ logger });
const graceMs = config.SHUTDOWN_GRACE_SECONDS * 1000;
stopOnSignal({ releasers, logger, graceMs });
const refuse = (fields: object, message: string) => refuseToStart({ logger, releasers }, fields, message);

const tracing = await startTracing({ service: 'ingress', config, logger });
releasers.push('traces', () => tracing?.stop());

const redis = connectRedis({ url: config.REDIS_URL, name: 'sluice-ingress', role: 'request', logger });
releasers.push('redis', () => redis.disconnect());

const store = connectStore({ url: config.MONGO_URL, namespace: config.SLUICE_NAMESPACE, logger });
releasers.push('mongodb', () => store.close());
void checkSchema(store, refuse);

const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
const metrics = createMetrics({ service: 'ingress' });
const publisher = createActivityPublisher({ redis, keyspace: shards.first, logger });
releasers.push('activity', () => publisher.stop());
const observer = {
  ...publisher.listening(createObserver({ logger, metrics })),
  startTrace: tracing && traceRequests(tracing),
};
redis.on('ready', () => void refuseEviction());
const warnOfWeaknesses = createWeaknessWarning({ redis, shards, logger });
redis.on('ready', () => void warnOfWeaknesses());
const keyring = createKeyring({ current: config.SLUICE_SECRET_KEY, older: config.SLUICE_SECRET_KEYS_OLD });
const ingress = createIngress({ config, keyring, redis, store, logger, observer, onRefused: refuse });
releasers.push('groups', () => ingress.close());
const key = watchKey({ ...store, keyring, logger });
releasers.push('key', () => key.stop());
const gate = keyedGate(ingress.gate, key);
publisher.beat({ trouble: () => gate.closed(), ignoresProxy: ingress.ignoresProxy });
observeGate({ metrics, gate, config });
observeClock({ metrics, redis });

const admin = await startAdminServer({
  port: config.INGRESS_ADMIN_PORT,
  host: config.HOST,
  variable: 'INGRESS_ADMIN_PORT',
  // MongoDB has no check, because the ingress works without it.
  checks: { gate: throwIfClosed },
  metrics,
  logger,
});
releasers.push('admin server', () => admin.close());

await firstLook({ gate: ingress.gate, redis });
const { server } = ingress;
const times = closingTimes({ graceMs, drainMs: config.DRAIN_MS });
releasers.push('server', () => closeServer(server, { ...times, beginDraining: ingress.drain }), {
  deadlineMs: graceMs,
});
const { url } = await listen({
  server,
  port: config.INGRESS_PORT,
  host: config.HOST,
  variable: 'INGRESS_PORT',
});
releasers.push('readiness', () => admin.setDraining());
logger.info({ event: 'ingress.listening', url }, 'listening');

function throwIfClosed(): void {
  const closed = gate.closed();
  if (closed !== null) throw new Error(closed);
}

/** A Redis that evicts keys would lose accepted actions. */
async function refuseEviction(): Promise<void> {
  const policy = await wrongEvictionPolicy(redis, shards).catch(() => null);
  if (policy === null) return;
  const mend = 'redis-cli CONFIG SET maxmemory-policy noeviction';
  await refuse(
    { event: 'redis.evicts', policy },
    `Redis may evict accepted actions (maxmemory-policy ${policy}). Mend it with: ${mend}`,
  );
}
