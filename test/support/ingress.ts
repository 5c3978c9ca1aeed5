import type { Server } from 'node:http';
import { createSourceDirectory } from '@sluice/admission/source-directory';
import type { SourceRecord } from '@sluice/admission/source-record';
import { DEFAULT_PLAN } from '@sluice/contract/account/plans';
import type { AdmittedAction, RefusedRequest } from '@sluice/contract/delivery/groups';
import { CONVERSATIONS_PATH, WEBHOOK_PATH } from '@sluice/contract/delivery/webhook-path';
import { newId } from '@sluice/credentials/ids';
import { createKeyring, seal } from '@sluice/credentials/seal';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { type IngressConfig, readConfig } from '@sluice/ingress/config';
import { createIngress, type Ingress, type IngressStore } from '@sluice/ingress/ingress';
import { createObserver, type Observer } from '@sluice/ingress/observe/observer';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createKeyspace } from '@sluice/redis/keyspace';
import { listen } from '@sluice/runtime/http/listen';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { readActions } from '../../services/worker/src/take/read-actions.ts';
import { sharedRedisUrl, uniqueNamespace } from './shared-redis.ts';
import { until } from './until.ts';
import { use } from './use.ts';

/** A source in the ingress of a test. */
export interface TestSource {
  readonly sourceId: string;
  readonly accountId: string;
  readonly secret: string;
  /** The path of its endpoint. */
  readonly path: string;
}

export interface TestIngress {
  readonly url: string;
  readonly server: Server;
  readonly ingress: Ingress;
  readonly namespace: string;
  /** The log of the ingress, line by line. */
  readonly logLines: string[];
  /** The ids of each lookup in the store, one list per lookup. */
  readonly storeLooks: readonly (readonly string[])[];
  addSource(overrides?: Partial<SourceRecord>): Promise<TestSource>;
  /** Publishes a change of a source, as the management package does. */
  changeSource(source: TestSource, change: Partial<SourceRecord> & { secret?: string }): Promise<void>;
  /**
   * Rotates the secret. The old one is accepted until `acceptedUntil` (ms since the Unix epoch), or only recognised if
   * that is null.
   */
  rotate(source: TestSource, acceptedUntil: number | null): Promise<TestSource>;
  /** All accepted actions that wait for a worker, in the order of enqueueing. */
  enqueuedActions(): Promise<AdmittedAction[]>;
  enqueuedRefusals(): Promise<RefusedRequest[]>;
  close(): Promise<void>;
}

export interface TestIngressSettings {
  readonly redisUrl?: string;
  /** The address on which it listens. Default: 127.0.0.1. */
  readonly host?: string;
  readonly config?: Partial<IngressConfig>;
  /** Default: an observer that does nothing. */
  readonly observer?: Observer;
}

const SECRET_KEY = Buffer.alloc(32, 7);

/** A whole ingress in this process, on a free port, with a real Redis and a separate namespace. */
export async function startIngress({
  redisUrl = sharedRedisUrl(),
  host = '127.0.0.1',
  config,
  observer,
}: TestIngressSettings = {}): Promise<TestIngress> {
  const namespace = uniqueNamespace();
  const logLines: string[] = [];
  const logger = createLogger({
    service: 'ingress',
    level: 'debug',
    destination: { write: (line) => logLines.push(line) },
  });
  const redis = connectRedis({ url: redisUrl, name: 'test-ingress', role: 'request', logger });
  const records = new Map<string, SourceRecord>();
  const storeLooks: (readonly string[])[] = [];
  const keyring = createKeyring({ current: SECRET_KEY });
  const ingress = createIngress({
    config: { ...defaults(namespace, redisUrl), ...config },
    keyring,
    redis,
    store: storeOf(records, storeLooks),
    logger,
    observer: observer ?? createObserver({ logger, metrics: createMetrics({ service: 'ingress' }) }),
  });
  const { server } = ingress;
  await until(() => ingress.gate.closed() === null);
  const { url } = await listen({ server, port: 0, host, variable: 'INGRESS_PORT' });
  const admin = new Redis(redisUrl, { retryStrategy: () => 20 });
  admin.on('error', () => {});
  const keyspace = createKeyspace(namespace);
  const directory = createSourceDirectory({ redis: admin, keyspace });

  async function jobs<T>(
    name: string,
    payload: (data: { actions: T[]; refusals: T[] }) => T[],
  ): Promise<T[]> {
    const queue = new Queue(name, { connection: admin, prefix: keyspace.prefix });
    const waiting = await queue.getJobs(['waiting', 'active', 'delayed'], 0, -1, true);
    await queue.close();
    return waiting.flatMap((job) => payload(job.data));
  }

  const changeSource: TestIngress['changeSource'] = async ({ sourceId }, { secret, ...change }) => {
    const before = records.get(sourceId) as SourceRecord;
    const sealed = secret === undefined ? {} : { sealed_secret: seal(keyring, sourceId, secret) };
    const record = { ...before, ...change, ...sealed, version: before.version + 1 };
    const fence = await directory.fence(sourceId);
    records.set(sourceId, record);
    await directory.publish(record, fence);
  };

  return {
    url,
    server,
    ingress,
    namespace,
    logLines,
    storeLooks,
    async addSource(overrides = {}) {
      const sourceId = newId('src');
      const secret = newSigningSecret();
      const record: SourceRecord = {
        source_id: sourceId,
        account_id: newId('acc'),
        version: 1,
        active: true,
        sealed_secret: seal(keyring, sourceId, secret),
        plan: DEFAULT_PLAN,
        rate_per_second: null,
        rate_burst: null,
        body_storage: 'all',
        ...overrides,
      };
      records.set(sourceId, record);
      await directory.republish(record, async () => record);
      const path = `${record.kind === 'channel' ? CONVERSATIONS_PATH : WEBHOOK_PATH}${sourceId}`;
      return { sourceId, accountId: record.account_id, secret, path };
    },
    changeSource,
    async rotate(source, acceptedUntil) {
      const secret = newSigningSecret();
      const { sealed_secret } = records.get(source.sourceId) as SourceRecord;
      const previous_secret = { sealed_secret, accepted_until: acceptedUntil };
      await changeSource(source, { secret, previous_secret });
      return { ...source, secret };
    },
    enqueuedActions: () =>
      jobs('actions', (group) =>
        readActions(group, '1').members.map((member) => {
          if (member.status === 'unreadable') throw new Error(member.reason);
          // The sources of these tests send events.
          return member.action as AdmittedAction;
        }),
      ),
    enqueuedRefusals: () => jobs<RefusedRequest>('refusals', (group) => group.refusals),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await ingress.close();
      redis.disconnect();
      admin.disconnect();
    },
  };
}

/** An ingress with a source, for the tests of a describe block. */
export function useIngress(settings?: TestIngressSettings): TestIngress & { readonly source: TestSource } {
  return use(async () => {
    const ingress = await startIngress(settings);
    return Object.assign(ingress, { source: await ingress.addSource() });
  });
}

/** The store of sources: a map in these tests, MongoDB in the pipeline tests. */
function storeOf(records: ReadonlyMap<string, SourceRecord>, looks: (readonly string[])[]): IngressStore {
  const findSource = async (sourceId: string) => {
    const record = records.get(sourceId);
    if (record === undefined) return undefined;
    const { previous_secret: previous } = record;
    const previous_secret =
      previous === undefined ? null : { ...previous, replaced_at: 0, forget_at: Infinity };
    const unpublished = { name: 'test', created_at: 0, secret_rotated_at: 0, previous_secret };
    return { ...record, ...unpublished };
  };
  const existingSources = async (sourceIds: readonly string[]) => {
    looks.push(sourceIds);
    return new Set(sourceIds.filter((sourceId) => records.has(sourceId)));
  };
  const findAccount = async (account_id: string) => {
    const plan =
      [...records.values()].find((record) => record.account_id === account_id)?.plan ?? DEFAULT_PLAN;
    return { account_id, name: 'test', plan, created_at: 0 };
  };
  return {
    sources: { findSource, existingSources, listSources: async () => [] },
    accounts: { findAccount },
    deliveries: { countAcceptedUpserts: async () => 0 },
  };
}

/** The defaults of an ingress, but for what tests need. */
function defaults(namespace: string, redisUrl: string): IngressConfig {
  return readConfig({
    INGRESS_PORT: '0',
    INGRESS_ADMIN_PORT: '0',
    // `npm test -- --ci` runs some tests with the other reader too.
    INGRESS_HTTP_READER: process.env.INGRESS_HTTP_READER,
    REDIS_URL: redisUrl,
    MONGO_URL: 'mongodb://not-used',
    SLUICE_NAMESPACE: namespace,
    SLUICE_SECRET_KEY: SECRET_KEY.toString('base64'),
    PLANS: 'free:3,unlimited',
    PACK_FROM_GROUPS: '0',
    DRAIN_MS: '0',
    LOG_LEVEL: 'debug',
  });
}
