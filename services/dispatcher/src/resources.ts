import { createKeyring, type Keyring } from '@sluice/credentials/seal';
import { createAddressPolicy, createHttpPolicy, outboundRules } from '@sluice/egress/address-policy';
import { createAgent } from '@sluice/egress/agent';
import {
  createSubscriptionDirectory,
  type SubscriptionDirectory,
} from '@sluice/outbound/directory/subscription-directory';
import { type BringOver, createBringOver } from '@sluice/outbound/log/bring-over';
import { type CountWaiting, createCountWaiting } from '@sluice/outbound/log/count-waiting';
import { createLogReader } from '@sluice/outbound/log/log-reader';
import { createPublishLost, type PublishLost } from '@sluice/outbound/log/publish-lost';
import { createRedisClock } from '@sluice/outbound/log/redis-clock';
import { createCursorTurns } from '@sluice/outbound/log/turns';
import { createStreams, type Streams } from '@sluice/outbound/queue/streams';
import type { Turns } from '@sluice/outbound/queue/turn';
import { publishAgain } from '@sluice/outbound/subscriptions/publish-again';
import { connectForService } from '@sluice/redis/connection/connect-for-service';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createShards, type Shards } from '@sluice/redis/shards/shards';
import type { Service } from '@sluice/runtime/process/start-service';
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
  readonly turns: Turns;
  readonly countWaiting: CountWaiting;
  readonly publishLost: PublishLost;
  readonly keyring: Keyring;
  readonly streams: Streams;
  /** Milliseconds since the Unix epoch by Redis's clock. */
  readonly now: () => number;
  readonly agent: Agent;
  /** How many connections to an origin were opened so far. */
  openedTo(origin: string): number;
  /** Opens one more connection to Redis. The caller closes it. */
  connect(name: string): ReturnType<typeof connectRedis>;
}

/** A turn looks for MongoDB again and again. A single look must not delay a dispatcher that stops. Milliseconds. */
const SERVER_SELECTION_MS = 2000;

/** A subscription sends as many at once, so that two subscriptions of one receiver share them. */
export const CONNECTIONS_PER_ORIGIN = 32;
/** Origins whose connections are counted. The count only tells a new connection from a kept one. */
const MOST_COUNTED = 10_000;

/** Opens all connections. They reconnect in the background. `mostText`: how much text a turn may keep, in UTF-16 units. */
export function openResources(service: Service<DispatcherConfig>, mostText: () => number): Resources {
  const { config, logger, releasers } = service;
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
  const common = { url: config.REDIS_URL, role: 'worker', logger, beside: redis } as const;
  const onUnpublished = (err: unknown) =>
    logger.warn({ event: 'republish.failed', err }, 'subscriptions not published; will retry');
  const directory = createSubscriptionDirectory({ redis, shards });
  const clock = createRedisClock();
  const stored = { ...store, now: Date.now };
  const republish = (accountId: string, prepare?: BringOver) =>
    publishAgain({ ...stored, subscriptionDirectory: directory }, accountId, prepare);
  const bringOver = createBringOver({ redis, shards, store });
  const opened = new Map<string, number>();
  const agent = createAgent({
    mayConnect: createAddressPolicy(outboundRules(config)),
    // A URL that was accepted while the variable was set must not leave in plain text later.
    mayUseHttp: createHttpPolicy(outboundRules(config)),
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
    turns: createCursorTurns({
      ...{ redis, shards, mostText, reader: createLogReader(store), now: clock.now, onTime: clock.note },
      ...{ cursors: store.webhookCursors, messages: store.webhookMessages, requests: store.webhookRequests },
      onUnpublished: (accountId) => void republish(accountId).catch(onUnpublished),
      onExpired: (expired) =>
        logger.warn({ event: 'changes.expired', ...expired }, 'changes that were not sent have expired'),
      onError: (err) =>
        logger.warn({ event: 'turns.failed', err }, 'turns not read, or cursors not stored; will retry'),
    }),
    countWaiting: createCountWaiting({
      ...{ redis, shards, changes: store.outboundChanges, messages: store.webhookMessages },
    }),
    publishLost: createPublishLost({
      ...{ redis, shards, stored: store },
      // What 0.2.0 left is sent before what follows it: nobody takes a turn before the publication.
      republish: (accountId) => republish(accountId, bringOver),
    }),
    streams: createStreams({ redis, shards }),
    now: clock.now,
    keyring: createKeyring({ current: config.SLUICE_SECRET_KEY, older: config.SLUICE_SECRET_KEYS_OLD }),
    agent,
    openedTo: (origin) => opened.get(origin) ?? 0,
    connect: (name) => connectRedis({ ...common, name }),
  };
}
