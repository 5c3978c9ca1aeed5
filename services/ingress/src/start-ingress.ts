import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchKey } from '@sluice/accounts/keys/watch-key';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { createKeyring } from '@sluice/credentials/seal';
import { connectForService } from '@sluice/redis/connection/connect-for-service';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { whyAway } from '@sluice/redis/connection/why-away';
import { createShards } from '@sluice/redis/shards/shards';
import type { Refuse } from '@sluice/runtime/process/refuse-to-start';
import type { Service } from '@sluice/runtime/process/start-service';
import { connectStore, type Store } from '@sluice/store/connect';
import { refuseTooNew } from '@sluice/store/prepare-database';
import type { IngressConfig } from './config.ts';
import { firstLook, keyedGate } from './gate/gate.ts';
import { observeGate } from './gate/observe-gate.ts';
import { createRefuseEviction, createSettingsWatch } from './gate/redis-settings.ts';
import { createIngress } from './ingress.ts';
import { createObserver } from './observe/observer.ts';
import { createActivityPublisher } from './publish-activity.ts';
import { createResults } from './results/results.ts';
import { traceRequests } from './trace/request-trace.ts';

/** Starts a whole ingress. It listens once its gate has looked at Redis. Rejects when a port cannot be used. */
export async function startIngress(service: Service<IngressConfig>): Promise<void> {
  const { config, logger, metrics, releasers, refuse, tracing } = service;
  const redis = connectForService(service, { name: 'sluice-ingress', role: 'request' });

  const store = connectStore({ url: config.MONGO_URL, namespace: config.SLUICE_NAMESPACE, logger });
  releasers.push('mongodb', () => store.close());
  void checkSchema(store, refuse);

  const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
  const publisher = createActivityPublisher({ redis, keyspace: shards.first, logger });
  releasers.push('activity', () => publisher.stop());
  const observer = {
    ...publisher.listening(createObserver({ logger, metrics })),
    startTrace: tracing && traceRequests(tracing),
  };
  const refuseEviction = createRefuseEviction({ redis, shards, refuse });
  const lookAtSettings = createSettingsWatch({ redis, shards, logger, metrics });
  redis.on('ready', () => void refuseEviction().then(lookAtSettings));
  const looks = setInterval(() => void lookAtSettings(), MINUTE_MS);
  looks.unref();
  releasers.push('settings', () => clearInterval(looks));
  const keyring = createKeyring({ current: config.SLUICE_SECRET_KEY, older: config.SLUICE_SECRET_KEYS_OLD });
  const subscriber = connectRedis({
    url: config.REDIS_URL,
    name: 'sluice-ingress-results',
    role: 'subscriber',
    logger,
    beside: redis,
  });
  releasers.push('results', () => subscriber.disconnect());
  const results = createResults({ subscriber, keyspace: shards.first, ingressId: randomUUID(), logger });
  const ingress = createIngress({
    config,
    keyring,
    redis,
    store,
    logger,
    observer,
    results,
    onRefused: refuse,
  });
  releasers.push('groups', () => ingress.close());
  const key = watchKey({ ...store, keyring, logger });
  releasers.push('key', () => key.stop());
  const gate = keyedGate(ingress.gate, key);
  publisher.beat({ trouble: () => gate.closed(), ignoresProxy: ingress.ignoresProxy });
  observeGate({ metrics, gate, config });

  const admin = await service.openAdmin({
    port: config.INGRESS_ADMIN_PORT,
    variable: 'INGRESS_ADMIN_PORT',
    // No check of MongoDB: the ingress works without it.
    knownChecks: {
      gate: () => {
        const closed = gate.closed();
        const why = closed === 'redis_away' ? whyAway(redis) : undefined;
        if (closed !== null) throw new Error(why === undefined ? closed : `${closed}: ${why}`);
      },
    },
  });
  await firstLook({ gate: ingress.gate, redis });
  await service.serve({
    server: ingress.server,
    port: config.INGRESS_PORT,
    variable: 'INGRESS_PORT',
    event: 'ingress.listening',
    drainMs: config.DRAIN_MS,
    beginDraining: ingress.drain,
    endStreams: results.close,
    admin,
  });
}

const ASK_AGAIN_MS = 1000;

/**
 * Refuses a database that is too new to be read. An ingress works without MongoDB, so its start does not wait for the
 * answer: it asks until MongoDB has answered once. Workers and APIs run the migrations.
 */
async function checkSchema(store: Pick<Store, 'opened' | 'schema'>, refuse: Refuse): Promise<void> {
  await store.opened().catch(() => undefined);
  for (;;) {
    const fit = await store.schema().catch(() => undefined);
    if (fit !== undefined) return refuseTooNew(fit, refuse);
    await sleep(ASK_AGAIN_MS, undefined, { ref: false });
  }
}
