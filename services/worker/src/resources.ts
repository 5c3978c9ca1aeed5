import { createLinker, type Linker } from '@sluice/conversations/linker';
import { createLeadDeps } from '@sluice/leads/deps';
import { type ConnectedOutbound, connectOutbound } from '@sluice/outbound/publish/connect-outbound';
import { isUnexpected } from '@sluice/outbound/publish/is-unexpected';
import { createPublisher, type Publisher } from '@sluice/outbound/publish/publisher';
import { createDeadLetters, type DeadLetters } from '@sluice/queue/dead-letters';
import { connectForService } from '@sluice/redis/connection/connect-for-service';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import type { Keyspace } from '@sluice/redis/keyspace';
import { createShards, type Shards } from '@sluice/redis/shards/shards';
import type { Service } from '@sluice/runtime/process/start-service';
import { connectStore, type Store } from '@sluice/store/connect';
import type { WorkerConfig } from './config.ts';

/** The connections of a worker. */
export interface Resources {
  readonly shards: Shards;
  /** The keyspace of shard 0, which holds everything that belongs to no account. */
  readonly keyspace: Keyspace;
  readonly store: Store;
  readonly redis: ReturnType<typeof connectRedis>;
  readonly deadLetters: DeadLetters;
  readonly publisher: Publisher;
  readonly publishing: ConnectedOutbound;
  readonly linker: Linker;
  /** Opens one more connection to Redis. The caller closes it. */
  connect(name: string): ReturnType<typeof connectRedis>;
}

/** A job looks for MongoDB again and again. A single look must not delay a worker that stops. Milliseconds. */
const SERVER_SELECTION_MS = 2000;

/** Opens all connections. They reconnect in the background. */
export function openResources(service: Service<WorkerConfig>): Resources {
  const { config, logger, releasers } = service;
  const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
  const keyspace = shards.first;

  const store = connectStore({
    url: config.MONGO_URL,
    namespace: config.SLUICE_NAMESPACE,
    deliveryRetentionDays: config.DELIVERY_RETENTION_DAYS,
    serverSelectionMs: SERVER_SELECTION_MS,
    logger: logger.child({ component: 'store' }),
  });
  releasers.push('store', () => store.close());
  const redis = connectForService(service, { name: 'worker', role: 'worker' });
  const onPublishFailed = (error: unknown) =>
    logger.warn({ event: 'publish.failed', err: error }, 'changes not published yet; will retry');
  const publishing = connectOutbound({
    redis,
    shards,
    store,
    now: Date.now,
    eraseLog: store.webhookMessages.eraseRecords,
    onUnsendable: (change) =>
      logger.error({ event: 'publish.unsendable', ...change }, 'a change can never be sent'),
  });
  const publisher: Publisher = createPublisher({
    ...store,
    outbound: publishing.outbound,
    onError: onPublishFailed,
    linkLeads: (accountId, records) => linker.leadsChanged(accountId, records),
  });
  releasers.push('publishing', () => publisher.settled());
  const linker = createLinker({
    ...store,
    leadDeps: createLeadDeps(store, { publisher }),
    onChange: (error) => {
      if (isUnexpected(error))
        logger.warn({ event: 'linking.failed', err: error }, 'conversations not linked yet; will retry');
    },
  });
  releasers.push('linking', () => linker.stop());
  const common = { url: config.REDIS_URL, role: 'worker', logger, beside: redis } as const;
  // Each queue of each shard opens two.
  const connect = (name: string) => connectRedis({ ...common, name });

  const deadLetters = createDeadLetters({ redis, prefix: keyspace.prefix });
  releasers.push('dead letters', () => deadLetters.close());
  return { shards, keyspace, store, redis, deadLetters, publisher, publishing, linker, connect };
}
