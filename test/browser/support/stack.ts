import { randomBytes } from 'node:crypto';
import { DASHBOARD_API, type Role } from '@sluice/contract/dashboard/route';
import type { Delivery } from '@sluice/contract/delivery';
import { createAccount } from '@sluice/management/create-account';
import { createInvite, createOwnerLink } from '@sluice/management/create-link';
import { connectStore, type Store } from '@sluice/store/connect';
import { freePort } from '../../support/free-port.ts';
import { startMongo } from '../../support/mongo-process.ts';
import { startRedis } from '../../support/redis-server.ts';
import { type ServiceProcess, startService } from '../../support/service-process.ts';
import { uniqueNamespace } from '../../support/shared-redis.ts';
import { createStarted, orStopped, type Started } from '../../support/started.ts';

export const PASSWORD = 'correct horse battery';

/** Somebody who is signed in at an API. */
export interface Person {
  readonly email: string;
  /** `name=value` of the session cookie. */
  readonly cookie: string;
}

/** The whole service as real processes, with a dashboard. */
export interface Stack {
  readonly store: Store;
  readonly redisUrl: string;
  readonly mongoUrl: string;
  /** Everybody who was added so far. */
  readonly people: readonly Person[];
  /** What every process has logged so far, a parsed line each. */
  logs(): readonly object[];
  readonly namespace: string;
  readonly accountId: string;
  /** Base URL of each API replica; the dashboard is at the first. */
  readonly apiUrls: readonly string[];
  readonly url: string;
  readonly ingressUrls: readonly string[];
  readonly worker: ServiceProcess;
  /** The token of the first owner's link. */
  ownerToken(): Promise<string>;
  addPerson(role: Role): Promise<Person>;
  insertDeliveries(rows: readonly Delivery[]): Promise<void>;
  stop(): Promise<void>;
}

export interface StackSettings {
  readonly apis?: number;
  readonly ingresses?: number;
  readonly env?: Record<string, string>;
}

/** Where it fails half-way, nothing that it started is left: it would keep the tests from ending. */
export function startStack(settings: StackSettings = {}): Promise<Stack> {
  const started = createStarted();
  return orStopped(started, () => start(settings, started));
}

async function start({ apis = 1, ingresses = 1, env = {} }: StackSettings, started: Started): Promise<Stack> {
  const namespace = uniqueNamespace('browser');
  const redisStarts = started.keep(startRedis(), (one) => one.stop());
  const mongoStarts = started.keep(startMongo(), (one) => one.stop());
  await started.all<unknown>([redisStarts, mongoStarts]);
  const [redis, mongo] = [await redisStarts, await mongoStarts];
  const [apiPorts, ingressPorts] = [await ports(apis), await ports(ingresses)];
  const apiUrls = apiPorts.map((port) => `http://127.0.0.1:${port}`);
  const ingressUrls = ingressPorts.map((port) => `http://127.0.0.1:${port}`);
  const url = apiUrls[0] as string;
  const shared = {
    REDIS_URL: redis.url,
    MONGO_URL: mongo.url,
    SLUICE_NAMESPACE: namespace,
    SLUICE_SECRET_KEY: randomBytes(32).toString('base64'),
    INGRESS_ADMIN_PORT: '0',
    WORKER_ADMIN_PORT: '0',
    API_ADMIN_PORT: '0',
    API_URL: url,
    EVENTS_URL: ingressUrls[0] as string,
    // The feeds of these tests are on this machine.
    FEED_PRIVATE_NETWORKS: 'true',
    ...env,
  };
  const store = connectStore({ url: mongo.url, namespace });
  started.onStop(() => store.close());
  const worker = startService('worker', shared);
  const services: ServiceProcess[] = [
    worker,
    ...ingressPorts.map((port) => startService('ingress', { ...shared, INGRESS_PORT: String(port) })),
    ...apiPorts.map((port) => startService('api', { ...shared, API_PORT: String(port) })),
  ];
  started.onStop(() => Promise.all(services.map((service) => service.kill('SIGKILL'))));
  await store.opened();
  await Promise.all(services.map((service) => service.ready()));
  const deps = { ...store, plans: new Map([['unlimited', null]]), now: Date.now };
  const account = await createAccount(deps, { name: 'Kulturhaus Mitte' });
  if (account.status !== 'created') throw new Error(account.status);
  const { account_id: accountId } = account.account;

  const ownerToken = async () => {
    const made = await createOwnerLink(deps, accountId);
    if (made.status !== 'created') throw new Error(made.status);
    return made.token;
  };
  const people: Person[] = [];
  return {
    store,
    redisUrl: redis.url,
    mongoUrl: mongo.url,
    people,
    logs: () => services.flatMap(({ log }) => log),
    namespace,
    accountId,
    apiUrls,
    url,
    ingressUrls,
    worker,
    ownerToken,
    async addPerson(role) {
      const email = `${role}-${people.length + 1}@example.com`;
      const isFirstOwner = role === 'owner' && people.length === 0;
      const token = isFirstOwner
        ? await ownerToken()
        : (await createInvite(deps, { accountId, role, email: null })).token;
      const cookie = await join(url, { token, name: `Ada ${role}`, email, password: PASSWORD });
      const person = { email, cookie };
      people.push(person);
      return person;
    },
    insertDeliveries: (rows) => store.deliveries.insertDeliveries(rows),
    stop: started.stop,
  };
}

function ports(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}

async function join(url: string, body: object): Promise<string> {
  const response = await fetch(`${url}${DASHBOARD_API}/welcome`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(await response.text());
  return (response.headers.getSetCookie()[0] ?? '').split(';')[0] as string;
}
