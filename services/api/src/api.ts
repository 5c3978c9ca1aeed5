import { noteAccessChange } from '@sluice/activity/access-changes';
import { createActivity } from '@sluice/activity/activity';
import { createActivityReader } from '@sluice/activity/read-activity';
import { createAdmit } from '@sluice/admission/admit';
import { createManyLimiter } from '@sluice/admission/rate-limiter';
import { createReplicaWaits, type ReplicaWait } from '@sluice/admission/replica-wait';
import { createShardedDirectory } from '@sluice/admission/sharded-directory';
import { createLinker } from '@sluice/conversations/linker';
import { createMacKeys } from '@sluice/credentials/mac';
import { createKeyring, type Keyring } from '@sluice/credentials/seal';
import { IMPORT_MAX_BYTES } from '@sluice/dashboard-api/limits';
import { createAddressPolicy } from '@sluice/egress/address-policy';
import { createFetchFeed } from '@sluice/feeds/fetch-feed';
import { FEED_TIMEOUT_MS } from '@sluice/feeds/read-feed';
import { createLeadDeps } from '@sluice/leads/deps';
import { openMailer } from '@sluice/mail/open-mailer';
import { createEnqueueActions } from '@sluice/management/enqueue-actions';
import { createDeadLetters } from '@sluice/queue/dead-letters';
import { createProducer, type Producer } from '@sluice/queue/producer';
import { createQueueStates, type QueueStates } from '@sluice/queue/queue-states';
import { createProxyWatch } from '@sluice/runtime/http/proxy-watch';
import { createShards } from '@sluice/shards/shards';
import type { Conversation } from '@sluice/store/conversation-document';
import { connectSubscriptions } from '@sluice/subscriptions/connect-subscriptions';
import { connectOutbound } from '@sluice/telling/connect-outbound';
import { isUnexpected } from '@sluice/telling/is-unexpected';
import { createSweeper } from '@sluice/telling/sweeper';
import { createTeller, type Teller } from '@sluice/telling/teller';
import type { Express } from 'express';
import type { ApiDeps } from './api-deps.ts';
import { createApp } from './app.ts';
import { createAudit } from './audit/record.ts';
import { batchedLimiter } from './batches/batched-limiter.ts';
import { batchedStore } from './batches/batched-store.ts';
import { DASHBOARD_DIR } from './dashboard-dir.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { createLiveFeed } from './deliveries/live-feed.ts';
import { createStreamLimit } from './deliveries/stream-limit.ts';
import { docsRoutes } from './docs/routes.ts';
import { startErasingAgain } from './leads/erase-again.ts';
import { createForgetOutside } from './leads/forget-outside.ts';
import { queueBoard } from './ops/queue-board.ts';
import { createQueueSnapshots, sampleQueues } from './ops/queue-snapshot.ts';
import { dashboardFiles } from './pages/dashboard-files.ts';
import { PASSWORD_COST } from './password/password.ts';
import { startRetiring } from './pipeline/retire-in-background.ts';
import { createLastUsed } from './public/last-used.ts';
import { publicRoutes } from './public/routes.ts';
import { announceChanges } from './session/announce-changes.ts';
import { createAuthenticate } from './session/authenticate.ts';
import { watchProxy } from './session/watch-proxy.ts';
import { forgetRotated } from './sources/forget-rotated.ts';
import { createOwnAnySource, createOwnSource } from './sources/own-source.ts';
import { startSweepingDeleted } from './sources/sweep-deleted.ts';
import { createThrottle } from './throttle/throttle.ts';
import { startSweeps } from './webhooks/sweeps.ts';

export interface Api {
  readonly app: Express;
  readonly queueStates: QueueStates;
  readonly keyring: Keyring;
  /** Requests come through a proxy whose X-Forwarded-For is not trusted. */
  readonly ignoresProxy: () => boolean;
  /** Ends the streams, which would delay the shutdown of the server. Browsers reconnect to another replica. */
  endStreams(): void;
  /** Writes pending data, and closes everything that would keep the process alive. */
  close(): Promise<void>;
}

/** Creates the parts of the API. Connections are passed in, so that tests can use their own. */
export function createApi(deps: ApiDeps): Api {
  const { config, redis, observer, now = Date.now } = deps;
  const store = batchedStore(deps.store);
  const parts = createParts({ ...deps, store }, now);
  const { authenticate, queueStates, lastUsed } = parts;
  const sweepingDeleted = startSweepingDeleted({ ...store, ...parts, now });
  const app = createApp({
    ...observer,
    trustProxy: config.TRUST_PROXY,
    dashboardApi: (router) =>
      dashboardRoutes(router, { ...store, ...parts, redis, now, sweepDeleted: sweepingDeleted.now }),
    otherRoutes(router) {
      publicRoutes(router, { ...store, ...parts, now });
      docsRoutes(router, parts);
      queueBoard(router, authenticate, queueStates);
      dashboardFiles(router, deps.dashboardDir ?? DASHBOARD_DIR);
    },
  });
  const sampling = sampleQueues(parts.takeQueueSnapshot, parts.activity, now);
  const forgetting = forgetRotated({ ...store, ...parts, now });
  const sweeps = startSweeps({ ...store, ...parts, now });
  const retiring = startRetiring({ ...parts, now });
  const erasing = startErasingAgain({ ...parts.eraseDeps, ...parts.telling.outbound.erased });
  const sweeper = createSweeper({ ...store, ...parts, now, onChange: parts.onTellingChanged });
  return {
    app,
    queueStates,
    keyring: parts.keyring,
    ignoresProxy: parts.proxyWatch.isIgnoring,
    endStreams: () => parts.liveFeed.close(),
    async close() {
      sampling.stop();
      forgetting.stop();
      parts.liveFeed.close();
      await Promise.all([
        sweeper.stop(),
        sweeps.stop(),
        erasing.stop(),
        retiring.stop(),
        sweepingDeleted.stop(),
      ]);
      await Promise.all([lastUsed.close(), parts.activity.close(), parts.mailer?.close()]);
      await parts.linker.stop();
      await parts.teller.settled();
      await parts.telling.outbound.close();
      await Promise.all(parts.producers.map((producer) => producer.close()));
      await Promise.all([parts.deadLetters.close(), queueStates.close()]);
    },
  };
}

function createParts(
  { config, redis, store, logger, passwordCost = PASSWORD_COST, liveHeartbeatMs }: ApiDeps,
  now: () => number,
) {
  const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
  const keyspace = shards.first;
  const { prefix } = keyspace;
  const shared = { redis, keyspace };
  const take = batchedLimiter(createManyLimiter(shared));
  const prefixes = shards.all.map((one) => one.prefix);
  const producers = prefixes.map((one) => createProducer({ redis, prefix: one }));
  const queueStates = createQueueStates({ redis, prefixes });
  const replicaWaits = createReplicaWaits({ redis, shards, replicas: config.REDIS_WAIT_REPLICAS });
  const defaultRate = { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST };
  const warn = (event: string) => (error: unknown) =>
    logger.warn({ event, err: error }, 'background task failed; the API continues');
  const onTellingFailed = warn('telling.failed');
  const telling = connectOutbound({
    ...{ redis, shards, store, replicaWaits, now, onError: onTellingFailed },
    eraseLog: store.webhookMessages.eraseRecords,
    onUnsendable: (change) =>
      logger.error({ event: 'telling.unsendable', ...change }, 'a change can never be sent'),
  });
  const teller: Teller = createTeller({
    ...{ ...store, outbound: telling.outbound, onError: onTellingFailed },
    linkLeads: (accountId, records) => linker.leadsChanged(accountId, records),
  });
  const leadDeps = createLeadDeps(store, { teller, now });
  const unlessExpected = (warned: (error: unknown) => void) => (error: unknown) =>
    isUnexpected(error) && warned(error);
  const linker = createLinker({ ...store, leadDeps, onChange: unlessExpected(warn('linking.failed')) });
  const keyring = createKeyring({ current: config.SLUICE_SECRET_KEY, older: config.SLUICE_SECRET_KEYS_OLD });
  const badSignaturesPerMinute = config.BAD_SIGNATURES_PER_MINUTE;
  const lanes = shards.all.map((one, index) => ({
    admit: createAdmit({ redis, keyspace: one, badSignaturesPerMinute }),
    producer: producers[index] as Producer,
    replicaWait: replicaWaits[index] as ReplicaWait,
  }));
  const deadLetters = createDeadLetters({ redis, prefix });
  const directory = createShardedDirectory({ redis, shards, replicaWaits });
  const proxyWatch = createProxyWatch({ trustProxy: config.TRUST_PROXY, logger });
  return {
    shards,
    keyspace,
    take,
    producers,
    teller,
    telling,
    onTellingChanged: unlessExpected(onTellingFailed),
    leadDeps,
    linker,
    linkSoon: linker.linkSoon,
    eraseDeps: {
      ...{ ...store, ...leadDeps, forgetOutside: createForgetOutside({ redis, keyspace, deadLetters }) },
      onError: warn('erasing.failed'),
    },
    subscriptionDeps: connectSubscriptions({
      ...{ config, redis, shards, store, keyring, replicaWaits, now },
      ...{ subscriptionDirectory: telling.subscriptionDirectory, mailboxes: telling.mailboxes },
    }),
    onRetiringFailed: unlessExpected(warn('retiring.failed')),
    onSweepFailed: unlessExpected(warn('webhooks.sweep_failed')),
    // A retried dead letter may go into any shard: workers serve all shards, and the sequence number keeps the order.
    producer: producers[0] as Producer,
    queueStates,
    defaultRate,
    passwordCost,
    plans: config.PLANS,
    eventsUrl: config.EVENTS_URL,
    ingressUrl: config.INGRESS_URL,
    apiUrl: config.API_URL,
    retentionDays: config.DELIVERY_RETENTION_DAYS,
    environmentName: config.ENVIRONMENT_NAME,
    keyring,
    mac: createMacKeys(keyring),
    keyRate: { count: config.KEY_RATE_PER_MINUTE, seconds: 60, burst: config.KEY_RATE_BURST },
    onLateError: warn('request.late_failed'),
    directory,
    allowHttpReplies: config.OUTBOUND_PRIVATE_NETWORKS,
    deadLetters,
    activity: createActivity({ ...shared, onError: warn('activity.failed') }),
    activityReader: createActivityReader(shared),
    ...(liveHeartbeatMs !== undefined && { heartbeatMs: liveHeartbeatMs }),
    // These replace the store's collections in the routes.
    ...announceChanges({
      ...store,
      announce: (userId) => void noteAccessChange(shared, userId).catch(warn('access_change.unannounced')),
    }),
    tell({ conversation_id: id, account_id, untold: changes }: Conversation) {
      if (changes.length > 0) teller.told({ collection: 'conversations', id, account_id, changes });
    },
    takePlace: createStreamLimit(),
    liveFeed: createLiveFeed({ ...shared, onError: warn('live.failed') }),
    takeQueueSnapshot: createQueueSnapshots({ ...shared, queueStates, now }),
    lastUsed: createLastUsed({ write: (uses) => store.apiKeys.noteUses(uses), logger }),
    proxyWatch,
    authenticate: watchProxy(createAuthenticate({ ...store, now }), proxyWatch),
    onForgetFailed: warn('secrets.forget_failed'),
    audit: createAudit({ auditLog: store.auditLog, now }),
    ownSource: createOwnSource(store),
    ownAnySource: createOwnAnySource(store),
    onRecoveryFailed: warn('recovery.failed'),
    mailer: openMailer(config, logger),
    throttle: createThrottle({ ...store, take, now }),
    fetchFeed: createFetchFeed({
      mayConnect: createAddressPolicy({ allowPrivate: config.FEED_PRIVATE_NETWORKS }),
      maxBytes: IMPORT_MAX_BYTES,
      timeoutMs: FEED_TIMEOUT_MS,
    }),
    enqueueActions: createEnqueueActions({
      directory,
      laneOf: (accountId) => lanes[shards.indexOf(accountId)] as (typeof lanes)[number],
      ...store,
      plans: config.PLANS,
      defaultRate,
      backlogLimit: Math.ceil(config.BACKLOG_LIMIT / shards.count),
      now,
    }),
  };
}
