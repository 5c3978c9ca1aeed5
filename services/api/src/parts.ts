import { noteAccessChange } from '@sluice/activity/access-changes';
import { createActivity } from '@sluice/activity/activity';
import { createActivityReader } from '@sluice/activity/read-activity';
import { createAdmit } from '@sluice/admission/admit';
import { createManyLimiter } from '@sluice/admission/rate-limiter';
import { createReplicaWaits, type ReplicaWait } from '@sluice/admission/replica-wait';
import { createShardedDirectory } from '@sluice/admission/sharded-directory';
import { createLinker } from '@sluice/conversations/linker';
import { createMacKeys } from '@sluice/credentials/mac';
import { createKeyring } from '@sluice/credentials/seal';
import { IMPORT_MAX_BYTES } from '@sluice/dashboard-api/limits';
import { createAddressPolicy } from '@sluice/egress/address-policy';
import { createFetchFeed } from '@sluice/feeds/fetch-feed';
import { FEED_TIMEOUT_MS } from '@sluice/feeds/read-feed';
import { createLeadDeps } from '@sluice/leads/deps';
import { openMailer } from '@sluice/mail/open-mailer';
import { createEnqueueActions } from '@sluice/management/enqueue-actions';
import { createDeadLetters } from '@sluice/queue/dead-letters';
import { createProducer, type Producer } from '@sluice/queue/producer';
import { createQueueStates } from '@sluice/queue/queue-states';
import { createProxyWatch } from '@sluice/runtime/http/proxy-watch';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { createRaceBackoff } from '@sluice/runtime/timing/delay';
import { createShards } from '@sluice/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Conversation } from '@sluice/store/conversation-document';
import { connectSubscriptions } from '@sluice/subscriptions/connect-subscriptions';
import { connectOutbound } from '@sluice/telling/connect-outbound';
import { isUnexpected } from '@sluice/telling/is-unexpected';
import { createTeller, type Teller } from '@sluice/telling/teller';
import type { Redis } from 'ioredis';
import { createAudit, createAudited } from './audit/record.ts';
import { batchedLimiter } from './batches/batched-limiter.ts';
import type { ApiConfig } from './config.ts';
import { createLiveFeed } from './deliveries/live-feed.ts';
import { connectErasure } from './leads/connect-erasure.ts';
import { createCountMailboxesDue } from './ops/count-mailboxes-due.ts';
import { createQueueSnapshots } from './ops/queue-snapshot.ts';
import { PASSWORD_COST, type PasswordCost } from './password/password.ts';
import { createLastUsed } from './public/last-used.ts';
import { connectStreams } from './public/webhooks/open-streams.ts';
import { announceChanges } from './session/announce-changes.ts';
import { createAuthenticate } from './session/authenticate.ts';
import { watchProxy } from './session/watch-proxy.ts';
import { createOwnAnySource, createOwnSource } from './sources/own-source.ts';
import { createThrottle } from './throttle/throttle.ts';

/** The dependencies of the parts of the API. */
export interface PartsDeps {
  readonly config: ApiConfig;
  readonly redis: Redis;
  readonly store: Store;
  readonly logger: Logger;
  readonly passwordCost?: PasswordCost;
  /** How often a live stream checks that its user still has access. Default: 15 s. */
  readonly liveHeartbeatMs?: number;
}

/** The parts that the routes and the work in the background share. */
export function createParts(
  { config, redis, store, logger, passwordCost = PASSWORD_COST, liveHeartbeatMs }: PartsDeps,
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
    backoff: createRaceBackoff(),
    eraseDeps: connectErasure({
      ...{ store, leadDeps, redis, keyspace, deadLetters },
      onError: warn('erasing.failed'),
    }),
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
    ...connectStreams({ redis, shards, onStreamFailed: unlessExpected(warn('stream.failed')) }),
    liveFeed: createLiveFeed({ ...shared, onError: warn('live.failed') }),
    takeQueueSnapshot: createQueueSnapshots({ ...shared, queueStates, now }),
    countMailboxesDue: createCountMailboxesDue({ mailboxes: telling.mailboxes, shards }),
    retiringSeen: new Map<string, number>(),
    lastUsed: createLastUsed({ write: (uses) => store.apiKeys.noteUses(uses), logger }),
    proxyWatch,
    authenticate: watchProxy(createAuthenticate({ ...store, now }), proxyWatch),
    onForgetFailed: warn('secrets.forget_failed'),
    audit: createAudit({ auditLog: store.auditLog, now }),
    audited: createAudited({ auditLog: store.auditLog, now }),
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
