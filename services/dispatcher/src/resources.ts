import { performance } from 'node:perf_hooks';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { createKeyring, type Keyring } from '@sluice/credentials/seal';
import { createAddressPolicy } from '@sluice/egress/address-policy';
import { createAgent } from '@sluice/egress/agent';
import { bringOverMailboxes } from '@sluice/outbound/log/bring-over';
import { createLogReader } from '@sluice/outbound/log/log-reader';
import { createPublishLost, type PublishLost } from '@sluice/outbound/log/publish-lost';
import { createCursorTurns } from '@sluice/outbound/log/turns';
import type { Mailboxes } from '@sluice/outbound/queue/mailboxes';
import { createStreams, type Streams } from '@sluice/outbound/queue/streams';
import type { SubscriptionDirectory } from '@sluice/outbound/queue/subscription-directory';
import { usesLog } from '@sluice/outbound/queue/uses-log';
import { connectMailboxes } from '@sluice/outbound/subscriptions/connect-mailboxes';
import { loadPublication } from '@sluice/outbound/subscriptions/publication';
import { connectForService } from '@sluice/redis/connection/connect-for-service';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createShards, type Shards } from '@sluice/redis/shards/shards';
import type { Service } from '@sluice/runtime/process/start-service';
import { DISPATCHER_METRICS } from '@sluice/runtime/telemetry/metric-catalog';
import { connectStore, type Store } from '@sluice/store/connect';
import type { Dispatcher as Agent } from 'undici';
import { CONNECT_MS } from './attempt/send.ts';
import type { DispatcherConfig } from './config.ts';

/** The connections of a dispatcher. */
export interface Resources {
  readonly shards: Shards;
  readonly store: Store;
  readonly redis: ReturnType<typeof connectRedis>;
  readonly directory: SubscriptionDirectory;
  readonly mailboxes: Mailboxes;
  readonly publishLost: PublishLost;
  readonly keyring: Keyring;
  readonly streams: Streams;
  readonly agent: Agent;
  /** Call it before turns are taken. Throws if a store is unavailable. Idempotent. */
  bringOverMailboxes(): Promise<void>;
  /** How many connections to an origin were opened so far. */
  openedTo(origin: string): number;
  /** Opens one more connection to Redis. The caller closes it. */
  connect(name: string): ReturnType<typeof connectRedis>;
}

/** A turn looks for MongoDB again and again. A single look must not delay a dispatcher that stops. Milliseconds. */
const SERVER_SELECTION_MS = 2000;

/** A mailbox sends as many at once, so that two mailboxes of one receiver share them. */
export const CONNECTIONS_PER_ORIGIN = 32;
/** Origins whose connections are counted. The count only tells a new connection from a kept one. */
const MOST_COUNTED = 10_000;

/** With MongoDB away every settlement of a full mailbox fails to move its messages. Milliseconds. */
const SPILL_LOG_MS = MINUTE_MS;
/** A mailbox that cannot be read is tried again every ten seconds. Milliseconds. */
const UNREADABLE_LOG_MS = MINUTE_MS;

/** Opens all connections. They reconnect in the background. */
export function openResources(service: Service<DispatcherConfig>): Resources {
  const { config, logger, metrics, releasers } = service;
  const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
  const store = connectStore({
    url: config.MONGO_URL,
    namespace: config.SLUICE_NAMESPACE,
    deliveryRetentionDays: config.DELIVERY_RETENTION_DAYS,
    serverSelectionMs: SERVER_SELECTION_MS,
    logger: logger.child({ component: 'store' }),
  });
  releasers.push('store', () => store.close());

  const redis = connectForService(service, { name: 'dispatcher', role: 'worker' });
  const unreadable = metrics.counter(DISPATCHER_METRICS.sluice_dispatcher_unreadable_mailboxes_total);
  const warnUnreadable = atMostOncePer(UNREADABLE_LOG_MS, (err) =>
    logger.warn({ event: 'mailbox.unreadable', err }, 'a mailbox cannot be read; will retry'),
  );
  const common = { url: config.REDIS_URL, role: 'worker', logger, beside: redis } as const;
  const onUnpublished = (err: unknown) =>
    logger.warn({ event: 'republish.failed', err }, 'subscriptions not published; will retry');
  const connected = connectMailboxes({
    ...{ redis, shards },
    stored: { ...store, now: Date.now },
    onError: onUnpublished,
    onSpillFailed: atMostOncePer(SPILL_LOG_MS, (err) =>
      logger.warn({ event: 'mailbox.not_moved', err }, 'a full mailbox stays in Redis; will retry'),
    ),
    onUnreadable: (err) => {
      unreadable.inc();
      warnUnreadable(err);
    },
  });
  const { subscriptionDirectory: directory, mailboxes, republish } = connected;
  const turnsOfLog = () =>
    createCursorTurns({
      ...{ redis, shards, reader: createLogReader(store), now: Date.now },
      ...{ cursors: store.webhookCursors, messages: store.webhookMessages },
      requests: store.webhookRequests,
      onUnpublished: (accountId) => void republish(accountId).catch(onUnpublished),
      onExpired: (expired) =>
        logger.warn({ event: 'changes.expired', ...expired }, 'changes that were not sent have expired'),
      onError: (err) => logger.warn({ event: 'turns.failed', err }, 'cursors not stored; will retry'),
    });
  const publishedOf = async (accountId: string) =>
    (await loadPublication({ ...store, now: Date.now }, accountId)).put;
  const opened = new Map<string, number>();
  const agent = createAgent({
    mayConnect: createAddressPolicy({ allowPrivate: config.OUTBOUND_PRIVATE_NETWORKS }),
    // A URL that was accepted while the variable was set must not leave in plain text later.
    allowHttp: config.OUTBOUND_PRIVATE_NETWORKS,
    connectMs: CONNECT_MS,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
    proxy: config.OUTBOUND_PROXY,
    onConnect(origin) {
      if (opened.size > MOST_COUNTED) opened.clear();
      opened.set(origin, (opened.get(origin) ?? 0) + 1);
    },
  });
  releasers.push('connections to receivers', () => agent.destroy());
  return {
    shards,
    store,
    redis,
    directory,
    mailboxes: usesLog() ? { ...mailboxes, ...turnsOfLog() } : mailboxes,
    publishLost: createPublishLost({ redis, shards, stored: store, republish }),
    streams: createStreams({ redis, shards }),
    keyring: createKeyring({ current: config.SLUICE_SECRET_KEY, older: config.SLUICE_SECRET_KEYS_OLD }),
    agent,
    bringOverMailboxes: () => bringOverMailboxes({ redis, shards, store, republish, publishedOf }),
    openedTo: (origin) => opened.get(origin) ?? 0,
    connect: (name) => connectRedis({ ...common, name }),
  };
}

function atMostOncePer(ms: number, log: (error: unknown) => void): (error: unknown) => void {
  let next = 0;
  return (error) => {
    if (performance.now() < next) return;
    next = performance.now() + ms;
    log(error);
  };
}
