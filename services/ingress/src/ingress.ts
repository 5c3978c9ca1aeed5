import type { Server } from 'node:http';
import { createAdmit } from '@sluice/admission/admit';
import { createKeyspace } from '@sluice/admission/keyspace';
import { createPlanUse } from '@sluice/admission/plan-use';
import { createSourceDirectory } from '@sluice/admission/source-directory';
import { newId } from '@sluice/credentials/ids';
import { createKeyring, open } from '@sluice/credentials/seal';
import { whyUnopened } from '@sluice/credentials/why-unopened';
import { loadSourceRecord, type RecordDeps } from '@sluice/management/load-source-record';
import { type RestorePlanUseDeps, restorePlanUse } from '@sluice/management/restore-plan-use';
import { createProducer } from '@sluice/queue/producer';
import type { Logger } from '@sluice/runtime/logger';
import type { Redis } from 'ioredis';
import { admitGroup } from './admit/admit-group.ts';
import type { Candidate } from './admit/candidate.ts';
import { createApp, createListener } from './app.ts';
import type { IngressConfig } from './config.ts';
import { type CommittedRequest, commitRequests } from './enqueue/commit-requests.ts';
import { createGroupCommit } from './enqueue/group-commit.ts';
import { waitForReplicas } from './enqueue/wait-for-replicas.ts';
import { createExchange } from './exchange.ts';
import { createGate, type Gate } from './gate/gate.ts';
import { readRedisVitals } from './gate/redis-vitals.ts';
import type { Observer } from './observe.ts';
import { createBodyRoom } from './receive/body-room.ts';
import { createHttpServer } from './server.ts';
import { createAddressGuard } from './verify/address-guard.ts';
import { createSourceFinder } from './verify/find-source.ts';
import { ANSWER_WITHIN_MS, handleWebhook } from './webhook.ts';

export interface IngressDeps {
  readonly config: IngressConfig;
  readonly redis: Redis;
  readonly store: IngressStore;
  readonly logger: Logger;
  readonly observer: Observer;
}

/** The verbs of the store that are needed for what Redis does not know. */
export interface IngressStore extends Pick<RecordDeps, 'accounts'>, Pick<RestorePlanUseDeps, 'deliveries'> {
  readonly sources: RecordDeps['sources'] & RestorePlanUseDeps['sources'];
}

export interface Ingress {
  readonly server: Server;
  readonly gate: Gate;
  /** Resolves once everything that was submitted has been answered; then stops looking after Redis. */
  close(): Promise<void>;
}

/** Limits of one group: a job should stay well under what a worker applies before its lock runs out. */
const MAX_GROUP_ITEMS = 512;
const MAX_GROUP_BYTES = 256 * 1024;

/** Bounds the memory that a flood can take: at most this many requests wait, whatever their size (256 KiB each). */
const MAX_WAITING = 5_000;

/** Puts the parts of the ingress together; connections come from outside, so that tests can bring their own. */
export function createIngress({ config, redis, store, logger, observer }: IngressDeps): Ingress {
  const keyspace = createKeyspace(config.SLUICE_NAMESPACE);
  const producer = createProducer({ redis, prefix: keyspace.prefix });
  const defaultRate = { perSecond: config.RATE_LIMIT_PER_SECOND, burst: config.RATE_LIMIT_BURST };
  const keyring = createKeyring({ current: config.SLUICE_SECRET_KEY, older: config.SLUICE_SECRET_KEYS_OLD });
  const gate = createGate({
    isConnected: () => redis.status === 'ready',
    readVitals: () => readRedisVitals(redis, producer),
    backlogLimit: config.BACKLOG_LIMIT,
    memoryLimitPercent: config.REDIS_MEMORY_LIMIT_PERCENT,
    onChange: (closed) => {
      if (closed === null) logger.info({ event: 'gate.changed', closed }, 'gate open');
      else logger.warn({ event: 'gate.changed', closed }, 'gate closed: every request is answered 503');
    },
  });
  const admitDeps = {
    admit: createAdmit({ redis, keyspace, badSignaturesPerMinute: config.BAD_SIGNATURES_PER_MINUTE }),
    defaultRate,
    plans: config.PLANS,
    backlogFull: gate.backlogFull,
  };
  const commitDeps = {
    admitGroup: (group: readonly Candidate[], nowMs: number) => admitGroup(admitDeps, group, nowMs),
    producer,
    waitForReplicas: () => waitForReplicas(redis, config.REDIS_WAIT_REPLICAS),
    newGroupId: () => newId('grp'),
    onGroup: observer.onGroup,
  };
  const commits = createGroupCommit<Candidate, CommittedRequest>({
    commit: (candidates) => commitRequests(commitDeps, candidates),
    bytesOf: (candidate) => candidate.bytes,
    onError: (error, requests) =>
      logger.warn({ event: 'group.failed', err: error, requests }, 'group not committed'),
    maxItems: MAX_GROUP_ITEMS,
    maxBytes: MAX_GROUP_BYTES,
    maxWaiting: MAX_WAITING,
    deadlineMs: ANSWER_WITHIN_MS,
  });
  const planUseDeps = { ...store, planUse: createPlanUse({ redis, keyspace }), plans: config.PLANS };
  const sources = createSourceFinder({
    directory: createSourceDirectory({ redis, keyspace }),
    loadFromStore: async (sourceId) => {
      const record = await loadSourceRecord(store, sourceId);
      if (record !== undefined) await restorePlanUse(planUseDeps, record, Date.now());
      return record;
    },
    openSecret: ({ source_id, sealed_secret }) => {
      const opened = open(keyring, source_id, sealed_secret);
      if (opened.status === 'opened') return opened.secret;
      logger.error({ event: 'source.sealed', source_id, status: opened.status }, whyUnopened(opened));
      return undefined;
    },
    onError: (error, sourceId) =>
      logger.warn({ event: 'source.lookup_failed', err: error, source_id: sourceId }, 'source not found out'),
  });
  redis.on('ready', sources.forgetAll);
  const guard = createAddressGuard();
  const webhookDeps = { gate, sources, guard, commits, defaultRate, bodies: createBodyRoom() };
  const exchange = createExchange({ handle: (request) => handleWebhook(webhookDeps, request), ...observer });
  const app = createApp({ exchange, trustProxy: config.TRUST_PROXY, ...observer });
  return {
    server: createHttpServer(app, createListener(app, exchange)),
    gate,
    async close() {
      await commits.idle();
      gate.stop();
      await producer.close();
    },
  };
}
