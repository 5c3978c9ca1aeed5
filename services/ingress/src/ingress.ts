import type { Server } from 'node:http';
import { createPlanUse } from '@sluice/admission/plan-use';
import { createReplicaWaits } from '@sluice/admission/replica-wait';
import { createShardedDirectory } from '@sluice/admission/sharded-directory';
import { type Keyring, open } from '@sluice/credentials/seal';
import { loadSourceRecord, type RecordDeps } from '@sluice/management/load-source-record';
import { type RestorePlanUseDeps, restorePlanUse } from '@sluice/management/restore-plan-use';
import { createProxyWatch } from '@sluice/runtime/http/proxy-watch';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import { createShards } from '@sluice/shards/shards';
import type { Redis } from 'ioredis';
import type { IngressConfig } from './config.ts';
import type { Gate } from './gate/gate.ts';
import { addressAsExpress, createApp, createListener } from './http/app.ts';
import { createBoundedTurns, inBoundedTurns } from './http/bounded-turns.ts';
import { createExchange } from './http/exchange.ts';
import { MAX_HEADER_LINES } from './http/header-lines.ts';
import { plainIncoming } from './http/plain/plain-incoming.ts';
import { servePlainFirst } from './http/plain/serve-plain-first.ts';
import { createHttpServer } from './http/server.ts';
import { openLanes } from './lanes/open-lanes.ts';
import type { Observer } from './observe.ts';
import { createBodyRoom } from './receive/body-room.ts';
import { createWaitingBodies } from './receive/waiting-bodies.ts';
import { createAddressGuard } from './verify/address-guard.ts';
import { createSourceFinder } from './verify/find-source.ts';
import { createLookupLog } from './verify/lookup-log.ts';
import { createStoreLook, type StoreLookDeps } from './verify/store-look.ts';
import { handleWebhook } from './webhook.ts';

export interface IngressDeps {
  readonly config: IngressConfig;
  /** What opens the signing secrets. */
  readonly keyring: Keyring;
  readonly redis: Redis;
  readonly store: IngressStore;
  readonly logger: Logger;
  readonly observer: Observer;
  /** Told once where this process must not go on (see shards-allowed.ts). */
  readonly onRefused?: (fields: object, message: string) => unknown;
}

/** The verbs of the store that are needed for what Redis does not know. */
export interface IngressStore extends Pick<RecordDeps, 'accounts'>, Pick<RestorePlanUseDeps, 'deliveries'> {
  readonly sources: RecordDeps['sources'] & RestorePlanUseDeps['sources'] & StoreLookDeps;
}

export interface Ingress {
  readonly server: Server;
  readonly gate: Gate;
  /** Senders come through a proxy whose X-Forwarded-For is not believed. */
  readonly ignoresProxy: () => boolean;
  /** The server is about to be closed: closeServer asks for the end of each connection from here on. */
  drain(): void;
  /** Resolves once everything that was submitted has been answered; then stops looking after Redis. */
  close(): Promise<void>;
}

/** Puts the parts of the ingress together; connections come from outside, so that tests can bring their own. */
export function createIngress({
  config,
  keyring,
  redis,
  store,
  logger,
  observer,
  onRefused = (fields, message) => logger.error(fields, message),
}: IngressDeps): Ingress {
  const shards = createShards(config.SLUICE_NAMESPACE, config.QUEUE_SHARDS);
  const replicaWaits = createReplicaWaits({ redis, shards, replicas: config.REDIS_WAIT_REPLICAS });
  const guard = createAddressGuard();
  const lane = openLanes({
    config,
    redis,
    shards,
    replicaWaits,
    guard,
    logger,
    ...observer,
    onMoved: () => sources.forgetAll(),
    onRefused,
  });
  const { gate, admissions, refusals } = lane;
  const defaultRate = { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST };
  const lookupLog = createLookupLog(logger);
  const planUse = createPlanUse({ redis, shards });
  const planUseDeps = { ...store, planUse, plans: config.PLANS };
  const sources = createSourceFinder({
    directory: createShardedDirectory({ redis, shards, replicaWaits }),
    isStored: createStoreLook(store.sources),
    loadFromStore: (sourceId) => loadSourceRecord(store, sourceId),
    restore: (record) => restorePlanUse(planUseDeps, record, Date.now()),
    openSecret: ({ source_id, sealed_secret }) => {
      const opened = open(keyring, source_id, sealed_secret);
      if (opened.status === 'opened') return opened.secret;
      lookupLog.sealed(source_id, opened);
      return undefined;
    },
    onError: lookupLog.failed,
  });
  redis.on('ready', sources.forgetAll);
  // A Cluster lets go of a server that went away; its replica may know less than it did.
  redis.on('-node', sources.forgetAll);
  const proxyWatch = createProxyWatch({ trustProxy: config.TRUST_PROXY, logger });
  const webhookDeps = {
    proxyWatch,
    gate,
    sources,
    guard,
    admissions,
    refusals,
    defaultRate,
    bodies: createBodyRoom(),
    waitingBodies: createWaitingBodies(),
  };
  const exchange = createExchange({ handle: (request) => handleWebhook(webhookDeps, request), ...observer });
  const app = createApp({ exchange, trustProxy: config.TRUST_PROXY, ...observer });
  const turns = createBoundedTurns();
  const server = createHttpServer(app, inBoundedTurns(turns, createListener(app, exchange)));
  server.maxHeadersCount = MAX_HEADER_LINES + 1;
  const addressOf = addressAsExpress(app);
  const plainDoor = servePlainFirst(server, (request, connection) =>
    turns({
      connection,
      begin: () => void exchange(plainIncoming(request, connection, addressOf), request.sourceId),
      isGone: () => connection.socket.destroyed,
    }),
  );
  return {
    server,
    drain: () => plainDoor.close(),
    gate,
    ignoresProxy: proxyWatch.isIgnoring,
    close: () => lane.close(),
  };
}
