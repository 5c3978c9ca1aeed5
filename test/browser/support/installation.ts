import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connectStore, type Store } from '@sluice/store/connect';
import { atTheEndOfTheProcess } from '../../support/at-the-end.ts';
import { freePort } from '../../support/free-port.ts';
import { startMongo } from '../../support/mongo-process.ts';
import { ofTheRun } from '../../support/of-the-run.ts';
import { startRedis } from '../../support/redis-server.ts';
import { type ServiceProcess, startService } from '../../support/service-process.ts';
import { uniqueNamespace } from '../../support/shared-redis.ts';
import { createStarted, orStopped, type Started } from '../../support/started.ts';

const PAGE = fileURLToPath(new URL('../../../services/dashboard/dist/index.html', import.meta.url));

/** The whole service as real processes, with a dashboard and without accounts. */
export interface Installation {
  readonly store: Store;
  readonly redisUrl: string;
  readonly mongoUrl: string;
  /** Returns the parsed log lines of all processes. */
  logs(): readonly object[];
  readonly namespace: string;
  /** Base URL of each API replica; the dashboard is at the first. */
  readonly apiUrls: readonly string[];
  readonly url: string;
  readonly ingressUrls: readonly string[];
  readonly worker: ServiceProcess;
  stop(): Promise<void>;
}

export interface InstallationSettings {
  readonly apis?: number;
  readonly ingresses?: number;
  /** Default: none. */
  readonly dispatchers?: number;
  readonly env?: Record<string, string>;
}

const shared = ofTheRun('installation', (): { starting?: Promise<Installation> } => ({}));

/**
 * Returns the shared installation of this process, with one process of each kind. Starting one costs more than most tests.
 * Tests are separated by account.
 */
export function sharedInstallation(): Promise<Installation> {
  if (shared.starting === undefined) {
    const starting = startInstallation();
    shared.starting = starting;
    atTheEndOfTheProcess(async () => (await starting).stop());
  }
  return shared.starting;
}

/** Starts an installation. On a failure it stops everything it started, which would keep the tests from ending. */
export function startInstallation(settings: InstallationSettings = {}): Promise<Installation> {
  const started = createStarted();
  return orStopped(started, () => start(settings, started));
}

async function start(
  { apis = 1, ingresses = 1, dispatchers = 0, env = {} }: InstallationSettings,
  started: Started,
): Promise<Installation> {
  // Otherwise each test would wait for a page until its timeout.
  if (!existsSync(PAGE)) throw new Error('The dashboard is not built. Run: npm run build');
  const namespace = uniqueNamespace('browser');
  const redisStarts = started.keep(startRedis(), (one) => one.stop());
  const mongoStarts = started.keep(startMongo(), (one) => one.stop());
  await started.all<unknown>([redisStarts, mongoStarts]);
  const [redis, mongo] = [await redisStarts, await mongoStarts];
  const [apiPorts, ingressPorts] = [await ports(apis), await ports(ingresses)];
  const apiUrls = apiPorts.map((port) => `http://127.0.0.1:${port}`);
  const ingressUrls = ingressPorts.map((port) => `http://127.0.0.1:${port}`);
  const url = apiUrls[0] as string;
  const common = {
    REDIS_URL: redis.url,
    MONGO_URL: mongo.url,
    SLUICE_NAMESPACE: namespace,
    SLUICE_SECRET_KEY: randomBytes(32).toString('base64'),
    INGRESS_ADMIN_PORT: '0',
    WORKER_ADMIN_PORT: '0',
    DISPATCHER_ADMIN_PORT: '0',
    API_ADMIN_PORT: '0',
    API_URL: url,
    EVENTS_URL: ingressUrls[0] as string,
    // Each test account has a separate network (stack.ts).
    TRUST_PROXY: 'loopback',
    // The test feeds and receivers run on this machine.
    FEED_PRIVATE_NETWORKS: 'true',
    OUTBOUND_PRIVATE_NETWORKS: 'true',
    ...env,
  };
  const store = connectStore({ url: mongo.url, namespace });
  started.onStop(() => store.close());
  const worker = startService('worker', common);
  const services: ServiceProcess[] = [
    worker,
    ...ingressPorts.map((port) => startService('ingress', { ...common, INGRESS_PORT: String(port) })),
    ...Array.from({ length: dispatchers }, () => startService('dispatcher', common)),
    ...apiPorts.map((port) => startService('api', { ...common, API_PORT: String(port) })),
  ];
  started.onStop(() => Promise.all(services.map((service) => service.kill('SIGKILL'))));
  await store.opened();
  await Promise.all(services.map((service) => service.ready()));
  return {
    store,
    redisUrl: redis.url,
    mongoUrl: mongo.url,
    logs: () => services.flatMap(({ log }) => log),
    namespace,
    apiUrls,
    url,
    ingressUrls,
    worker,
    stop: started.stop,
  };
}

function ports(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}
