import type { Server } from 'node:http';
import { type RestorePlanUseDeps, restorePlanUse } from '@sluice/accounts/account/restore-plan-use';
import { loadSourceRecord, type RecordDeps } from '@sluice/admission/load-source-record';
import { createPlanUse } from '@sluice/admission/plan-use';
import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShardedDirectory } from '@sluice/admission/sharded-directory';
import { type Keyring, open } from '@sluice/credentials/seal';
import { createShards } from '@sluice/redis/shards/shards';
import { createProxyWatch } from '@sluice/runtime/http/proxy-watch';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Redis } from 'ioredis';
import type { IngressConfig } from './config.ts';
import type { Gate } from './gate/gate.ts';
import { createApp } from './http/app.ts';
import { createBoundedTurns, inBoundedTurns } from './http/bounded-turns.ts';
import { createExchange } from './http/exchange.ts';
import { beginPlain } from './http/plain/plain-incoming.ts';
import { servePlainFirst } from './http/plain/serve-plain-first.ts';
import { createAddressOf } from './http/sender-address.ts';
import { createHttpServer } from './http/server.ts';
import { openLanes } from './lanes/open-lanes.ts';
import type { Observer } from './observe/observer.ts';
import { createBodyRoom } from './receive/body-room.ts';
import { createWaitingBodies } from './receive/receive.ts';
import { NO_RESULTS, type Results } from './results/results.ts';
import { createExplainSignature } from './verify/explain-signature.ts';
import { createSourceFinder } from './verify/find-source.ts';
import { createLookupLog } from './verify/lookup-log.ts';
import { createPlanUseRestorer } from './verify/plan-use-restorer.ts';
import { createStoreLook, type StoreLookDeps } from './verify/store-look.ts';
import { createWebhook } from './webhook.ts';

export interface IngressDeps {
  readonly config: IngressConfig;
  /** Opens the signing secrets. */
  readonly keyring: Keyring;
  readonly redis: Redis;
  readonly store: IngressStore;
  readonly logger: Logger;
  readonly observer: Observer;
  /** Absent: no sender can wait for a result. */
  readonly results?: Results;
  /** Called once if this process must stop (see open-lanes.ts). */
  readonly onRefused?: (fields: object, message: string) => unknown;
}

/** The parts of the store that load sources which Redis does not have. */
export interface IngressStore extends Pick<RecordDeps, 'accounts'>, Pick<RestorePlanUseDeps, 'deliveries'> {
  readonly sources: RecordDeps['sources'] & RestorePlanUseDeps['sources'] & StoreLookDeps;
}

export interface Ingress {
  readonly server: Server;
  readonly gate: Gate;
  /** Returns whether senders come through a proxy whose X-Forwarded-For is ignored. */
  readonly ignoresProxy: () => boolean;
  /** Prepares the close of the server: from now on Node reads each request, so closeServer can end its connection. */
  drain(): void;
  /** Resolves once all submitted requests have a response. Then the gate stops polling Redis. */
  close(): Promise<void>;
}

/** Connects the parts of the ingress. Connections are passed in, so that tests can bring their own. */
export function createIngress({
  config,
  keyring,
  redis,
  store,
  logger,
  observer,
  results = NO_RESULTS,
  onRefused = (fields, message) => logger.error(fields, message),
}: IngressDeps): Ingress {
  const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
  const replicaWaits = createReplicaWaits({ redis, shards, replicas: config.REDIS_WAIT_REPLICAS });
  const lane = openLanes({
    config,
    redis,
    shards,
    replicaWaits,
    logger,
    ...observer,
    onMoved: () => forgetAll(),
    onRefused,
  });
  const { gate, admissions, refusals } = lane;
  const defaultRate = { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST };
  const lookupLog = createLookupLog(logger);
  const planUse = createPlanUse({ redis, shards });
  const planUseDeps = { ...store, planUse, plans: config.PLANS };
  const planUses = createPlanUseRestorer({
    count: (record, nowMs) => restorePlanUse(planUseDeps, record, nowMs),
    now: Date.now,
  });
  const sources = createSourceFinder({
    directory: createShardedDirectory({ redis, shards, replicaWaits }),
    isStored: createStoreLook(store.sources),
    loadFromStore: (sourceId) => loadSourceRecord(store, sourceId),
    restore: planUses.restore,
    openSecret: ({ source_id, sealed_secret }) => {
      const opened = open(keyring, source_id, sealed_secret);
      if (opened.status === 'opened') return opened.secret;
      lookupLog.sealed(source_id, opened);
      return undefined;
    },
    onError: lookupLog.failed,
  });
  const forgetAll = () => {
    sources.forgetAll();
    planUses.forget();
  };
  redis.on('ready', forgetAll);
  // A Cluster client drops a server that went away. Its replica may have older data.
  redis.on('-node', forgetAll);
  const proxyWatch = createProxyWatch({ trustProxy: config.TRUST_PROXY, logger });
  const handle = createWebhook({
    proxyWatch,
    gate,
    sources,
    explainSignature: createExplainSignature(),
    admissions,
    refusals,
    results,
    defaultRate,
    bodies: createBodyRoom(),
    waitingBodies: createWaitingBodies(),
  });
  const exchange = createExchange({ handle, ...observer });
  const addressOf = createAddressOf(config.TRUST_PROXY);
  const turns = createBoundedTurns();
  const app = createApp({ exchange, addressOf, apiUrl: config.API_URL, ...observer });
  const server = createHttpServer(inBoundedTurns(turns, app));
  const plainReader =
    config.INGRESS_HTTP_READER === 'plain'
      ? servePlainFirst(server, beginPlain({ turns, exchange, addressOf, ...observer }))
      : undefined;
  return {
    server,
    drain: () => plainReader?.close(),
    gate,
    ignoresProxy: proxyWatch.isIgnoring,
    close: () => lane.close(),
  };
}
