import { createManyLimiter } from '@sluice/admission/rate-limiter';
import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createMacKeys } from '@sluice/credentials/mac';
import { createKeyring } from '@sluice/credentials/seal';
import { IMPORT_MAX_BYTES } from '@sluice/dashboard-api/limits';
import { createAddressPolicy, feedRules } from '@sluice/egress/address-policy';
import { createFetchFeed, FEED_TIMEOUT_MS } from '@sluice/import/feed/fetch-feed';
import { openMailer } from '@sluice/mail/mailer';
import { createActivity } from '@sluice/monitoring/activity';
import { createActivityReader } from '@sluice/monitoring/read-activity';
import { createCountDue } from '@sluice/outbound/log/count-due';
import { createStreams } from '@sluice/outbound/queue/streams';
import { connectSubscriptions } from '@sluice/outbound/subscriptions/connect-subscriptions';
import { createShards } from '@sluice/redis/shards/shards';
import { createProxyWatch } from '@sluice/runtime/http/proxy-watch';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import { batchedLimiter } from './batches/batched-limiter.ts';
import type { ApiConfig } from './config.ts';
import { connectPublishing } from './connect-publishing.ts';
import { connectQueues } from './connect-queues.ts';
import { createAudit, createAudited } from './parts/audit.ts';
import { createAuthenticate, watchProxy } from './parts/authenticate.ts';
import { createCountSubscriptionsDue } from './parts/count-subscriptions-due.ts';
import { connectErasure } from './parts/erasure.ts';
import { createLastUsed } from './parts/last-used.ts';
import { createOwnAnySource, createOwnSource } from './parts/own-source.ts';
import { PASSWORD_COST, type PasswordCost } from './parts/password.ts';
import { createQueueSnapshots } from './parts/queue-snapshot.ts';
import { createStreamLimit } from './parts/stream-limit.ts';
import { createThrottle } from './parts/throttle.ts';
import { createWarnings } from './warnings.ts';

/** The dependencies of the parts of the API. */
export interface PartsDeps {
  readonly config: ApiConfig;
  readonly redis: Redis;
  readonly store: Store;
  readonly logger: Logger;
  readonly passwordCost?: PasswordCost;
  /** Default: see http/bind.ts. */
  readonly requestsPerSession?: number;
}

/** The parts that the routes and the work in the background share. */
export function createParts(
  { config, redis, store, logger, passwordCost = PASSWORD_COST, ...limits }: PartsDeps,
  now: () => number,
) {
  const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
  const keyspace = shards.first;
  const shared = { redis, keyspace };
  const take = batchedLimiter(createManyLimiter(shared));
  const warnings = createWarnings(logger);
  const { warn, warnUnexpected } = warnings;
  const replicaWaits = createReplicaWaits({ redis, shards, replicas: config.REDIS_WAIT_REPLICAS });
  const queues = connectQueues({ config, redis, shards, store, replicaWaits, now });
  const changes = connectPublishing({ redis, shards, store, logger, warnings, now });
  const { publishing, leadDeps } = changes;
  const { deadLetters, queueStates } = queues;
  const keyring = createKeyring({ current: config.SLUICE_SECRET_KEY, older: config.SLUICE_SECRET_KEYS_OLD });
  const proxyWatch = createProxyWatch({ trustProxy: config.TRUST_PROXY, logger });
  return {
    ...{ shards, keyspace, take, keyring, proxyWatch, passwordCost },
    ...queues,
    ...changes,
    ...settingsOf(config),
    backoff: createRaceBackoff(),
    eraseDeps: connectErasure({
      ...{ store, leadDeps, deadLetters },
      onError: warn('erasing.failed'),
    }),
    subscriptionDeps: connectSubscriptions({
      ...{ config, redis, shards, store, keyring, replicaWaits, now },
      ...{ subscriptionDirectory: publishing.subscriptionDirectory, outbox: publishing.outbox },
    }),
    onRetiringFailed: warnUnexpected('retiring.failed'),
    onSweepFailed: warnUnexpected('webhooks.sweep_failed'),
    onLateError: warn('request.late_failed'),
    onForgetFailed: warn('secrets.forget_failed'),
    onRecoveryFailed: warn('recovery.failed'),
    mac: createMacKeys(keyring),
    activity: createActivity({ ...shared, onError: warn('activity.failed') }),
    activityReader: createActivityReader(shared),
    requestsPerSession: limits.requestsPerSession,
    streams: createStreams({ redis, shards }),
    /** Aborted when the process stops. Clients of streams connect to another API server. */
    streamsEnd: new AbortController(),
    takeStreamPlace: createStreamLimit(),
    onStreamFailed: warnUnexpected('stream.failed'),
    takeQueueSnapshot: createQueueSnapshots({ ...shared, queueStates, now }),
    countSubscriptionsDue: createCountSubscriptionsDue({
      countDue: createCountDue({ redis, shards }),
      shards,
    }),
    retiringSeen: new Map<string, number>(),
    lastUsed: createLastUsed({ write: (uses) => store.apiKeys.noteUses(uses), logger }),
    authenticate: watchProxy(createAuthenticate({ ...store, now }), proxyWatch),
    audit: createAudit({ auditLog: store.auditLog, now }),
    audited: createAudited({ auditLog: store.auditLog, now }),
    ownSource: createOwnSource(store),
    ownAnySource: createOwnAnySource(store),
    mailer: openMailer(config, logger),
    throttle: createThrottle({ ...store, take, now }),
    fetchFeed: createFetchFeed({
      mayConnect: createAddressPolicy(feedRules(config)),
      maxBytes: IMPORT_MAX_BYTES,
      timeoutMs: FEED_TIMEOUT_MS,
    }),
  };
}

/** What every route gets: the store, the parts above, and what belongs to the process. */
export type RouteDeps = Omit<Store, keyof Parts> &
  Parts & {
    readonly redis: Redis;
    /** Milliseconds since the Unix epoch. */
    readonly now: () => number;
    /** Continues with deleted sources at once. */
    readonly sweepDeleted: () => void;
  };

type Parts = ReturnType<typeof createParts>;

/** The settings that routes read. */
function settingsOf(config: ApiConfig) {
  return {
    plans: config.PLANS,
    eventsUrl: config.EVENTS_URL,
    ingressUrl: config.INGRESS_URL,
    apiUrl: config.API_URL,
    retentionDays: config.DELIVERY_RETENTION_DAYS,
    environmentName: config.ENVIRONMENT_NAME,
    keyRate: { count: config.KEY_RATE_PER_MINUTE, seconds: 60, burst: config.KEY_RATE_BURST },
  };
}
