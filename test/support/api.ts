import { createAccount } from '@sluice/accounts/account/create-account';
import { createInvite, createOwnerLink } from '@sluice/accounts/people/create-link';
import { createSourceDirectory } from '@sluice/admission/source-directory';
import { type Api, createApi } from '@sluice/api/api';
import { type ApiConfig, readConfig } from '@sluice/api/config';
import { createObserver } from '@sluice/api/observe';
import type { Role } from '@sluice/contract/account/roles';
import { IDENTITY_PATH } from '@sluice/contract/api/public-api';
import { newId } from '@sluice/credentials/ids';
import { createKeyring } from '@sluice/credentials/seal';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import type { Me } from '@sluice/dashboard-api/session';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { createKeyspace } from '@sluice/redis/keyspace';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { connectStore, type Store } from '@sluice/store/connect';
import { expect } from 'chai';
import type { Express } from 'express';
import type { Redis } from 'ioredis';
import supertest, { type Response, type Test } from 'supertest';
import { created } from './created.ts';
import { openTestMongo, type TestMongo } from './mongo-server.ts';
import { expectDocumented } from './openapi.ts';
import { sharedRedisUrl, uniqueNamespace } from './shared-redis.ts';

/** The password of every user in these tests. */
export const PASSWORD = 'correct horse battery';

/** A signed-in user. */
export interface Person {
  readonly me: Me;
  readonly cookie: string;
  /** Calls a route of the dashboard's API with the user's session. */
  call(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object): Test;
  /** The body of the response to a GET. Fails with the response if the status is not 200. */
  read(path: string): Promise<Response['body']>;
}

export interface TestApi {
  readonly app: Express;
  /** Two replicas on the same stores; `app` is the first. The other one starts when this is read for the first time. */
  readonly replicas: readonly Api[];
  readonly store: Store;
  readonly redis: Redis;
  /** Direct access to the database, if this test has a separate one. */
  readonly mongo: TestMongo;
  readonly namespace: string;
  /** The log of the API, line by line. */
  readonly logLines: string[];
  /** The dependencies of all management functions. */
  readonly deps: ReturnType<typeof managementDeps>;
  addAccount(name?: string): Promise<string>;
  addPerson(accountId: string, role: Role): Promise<Person>;
  close(): Promise<void>;
}

/** Makes password hashing cheap. A separate test checks the real parameters. */
const CHEAP = { logN: 4, r: 8, p: 1 };

export const SECRET_KEY = Buffer.alloc(32, 7);

export interface TestApiSettings {
  readonly config?: Partial<ApiConfig>;
  readonly now?: () => number;
  readonly dashboardDir?: string;
  /** Default: debug. */
  readonly logLevel?: 'debug' | 'info';
  /** Existing stores, such as those of a pipeline. They are not closed. */
  readonly on?: { readonly redisUrl: string; readonly mongoUrl: string; readonly namespace: string };
}

/** The API in this process, with a real Redis and a separate store. */
export async function startApi({
  on,
  logLevel = 'debug',
  ...settings
}: TestApiSettings = {}): Promise<TestApi> {
  const mongo = on === undefined ? await openTestMongo('api') : undefined;
  const mongoUrl = on?.mongoUrl ?? mongo?.url ?? '';
  const namespace = on?.namespace ?? uniqueNamespace('api');
  const redisUrl = on?.redisUrl ?? sharedRedisUrl();
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const logger = createLogger({ service: 'api', level: logLevel, destination });
  const store = connectStore({ url: mongoUrl, namespace });
  await store.opened();
  await store.ensureIndexes();
  const redis = connectRedis({ url: redisUrl, name: 'test-api', role: 'request', logger });
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
  const config = { ...defaults(namespace, mongoUrl), ...settings.config };
  const build = () => {
    const observer = createObserver({ logger, metrics: createMetrics({ service: 'api' }) });
    // A test calls faster than a person clicks.
    const requestsPerSession = Number.POSITIVE_INFINITY;
    return createApi({
      requestsPerSession,
      ...settings,
      config,
      redis,
      store,
      logger,
      observer,
      passwordCost: CHEAP,
    });
  };
  const first = build();
  const replicas = [first];
  const { app } = first;
  const deps = managementDeps(store, redis, namespace);
  const people = { app, deps };
  return {
    app,
    get replicas() {
      if (replicas.length === 1) replicas.push(build());
      return replicas;
    },
    store,
    redis,
    mongo: mongo as TestMongo,
    namespace,
    logLines,
    deps,
    async addAccount(name = 'Test account') {
      const made = created(await createAccount(deps, { name }));
      return made.account.account_id;
    },
    addPerson: (accountId, role) => addPerson(people, accountId, role),
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()));
      await store.close();
      redis.disconnect();
      await mongo?.close();
    },
  };
}

function managementDeps(store: Store, redis: Redis, namespace: string) {
  return {
    ...store,
    directory: createSourceDirectory({ redis, keyspace: createKeyspace(namespace) }),
    keyring: createKeyring({ current: SECRET_KEY }),
    plans: new Map([
      ['free', 3],
      ['unlimited', null],
    ]),
    now: Date.now,
  };
}

async function addPerson(
  { app, deps }: Pick<TestApi, 'app' | 'deps'>,
  accountId: string,
  role: Role,
): Promise<Person> {
  const owner = role === 'owner' ? await createOwnerLink(deps, accountId, { operator: true }) : undefined;
  const { token } =
    owner?.status === 'created' ? owner : await createInvite(deps, { accountId, role, email: null });
  const newcomer = {
    token,
    name: `A ${role}`,
    email: `${newId('usr').toLowerCase()}@example.com`,
    password: PASSWORD,
  };
  const answer = await supertest(app)
    .post(`${DASHBOARD_API}/welcome`)
    .set('x-forwarded-for', newAddress())
    .send(newcomer);
  if (answer.status !== 200) throw new Error(answer.text);
  return personOf(app, answer.body as Me, cookieOf(answer.headers));
}

let addresses = 0;

/** A new address, so that the throttle does not count all users of these tests together. */
export function newAddress(): string {
  addresses += 1;
  return `10.1.${addresses >> 8}.${addresses & 255}`;
}

/** Calls the identity check with an API key. Checks the response against openapi.json. */
export async function identify(app: Express, key: string): Promise<Response> {
  const answer = await supertest(app).get(IDENTITY_PATH).set('authorization', `Bearer ${key}`);
  const { status, headers, body, text } = answer;
  expectDocumented('identify', {
    status,
    contentType: headers['content-type'],
    body: Object.keys(body as object).length > 0 ? body : JSON.parse(text),
  });
  return answer;
}

/** A user by their session cookie. */
export function personOf(app: Express, me: Me, cookie: string): Person {
  const call: Person['call'] = (method, path, body) => {
    const test = supertest(app)
      [method](DASHBOARD_API + path)
      .set('cookie', cookie);
    return body === undefined ? test : test.send(body);
  };
  return {
    me,
    cookie,
    call,
    async read(path) {
      const { status, text, body } = await call('get', path);
      expect(status, `${path}: ${text}`).to.equal(200);
      return body;
    },
  };
}

/** The session cookie of a response, in the form of a request header. */
export function cookieOf(headers: Record<string, unknown>): string {
  const [first = ''] = (headers['set-cookie'] as string[] | undefined) ?? [];
  return first.split(';')[0] as string;
}

/** The defaults of an API server, but for what tests need. */
function defaults(namespace: string, mongoUrl: string): ApiConfig {
  return readConfig({
    API_PORT: '0',
    API_ADMIN_PORT: '0',
    API_URL: 'http://localhost:8081',
    // Nothing listens there.
    INGRESS_URL: 'http://127.0.0.1:1',
    TRUST_PROXY: 'true',
    REDIS_URL: sharedRedisUrl(),
    MONGO_URL: mongoUrl,
    SLUICE_NAMESPACE: namespace,
    SLUICE_SECRET_KEY: SECRET_KEY.toString('base64'),
    PLANS: 'free:3,unlimited',
    DRAIN_MS: '0',
    LOG_LEVEL: 'debug',
  });
}
