import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey } from '@sluice/accounts/keys/create-key';
import { newApiKey } from '@sluice/credentials/api-key';
import { readReplicas, startHeartbeat } from '@sluice/monitoring/replicas';
import { createKeyspace } from '@sluice/redis/keyspace';
import { writeStack } from '@sluice/runtime/config/stack-file';
import { identify } from '@sluice/runtime/process-identity';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { addKey, startApis } from '../support/api-processes.ts';
import { created } from '../support/created.ts';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { usePipeline } from '../support/pipeline.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { serve } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { type RunSettings, sluice } from './support.ts';

describe('sluice doctor', function () {
  this.timeout(180_000);
  const pipeline = usePipeline({ workers: 0 });
  const apis = use(() => startApis(pipeline, 1, { EVENTS_URL: pipeline.urls[0] as string }));
  let accountId: string;
  const dir = newFolder();
  const redis = useRedisClient(() => pipeline.env.REDIS_URL ?? '');
  /** Why the worker cannot work. */
  let trouble: string | null = null;
  before(async () => {
    ({ accountId } = await pipeline.addSource());
    const keyspace = createKeyspace(pipeline.namespace);
    for (const kind of ['worker', 'dispatcher'] as const)
      startHeartbeat({ redis, keyspace, kind, trouble: () => trouble, everyMs: 100 });
    await until(async () => {
      const replicas = await readReplicas({ redis, keyspace }, Date.now());
      return replicas.length === 4 && replicas.every((one) => one.trouble === null);
    });
  });

  const doctor = (env: Record<string, string>, ...args: string[]) =>
    sluice(['doctor', '--json', ...args], { env } satisfies RunSettings);
  const findings = (rows: readonly Record<string, unknown>[]) =>
    Object.fromEntries(rows.map(({ check, result, detail, fix }) => [check, { result, detail, fix }]));
  const withKey = (key: string, env: Record<string, string> = {}) =>
    doctor({ SLUICE_URL: apis.urls[0] as string, SLUICE_API_KEY: key, ...env });

  it('exits with 0 where API server, clock, key, endpoint and stores are right', async () => {
    const { REDIS_URL = '', MONGO_URL = '' } = pipeline.env;
    const key = await addKey(pipeline, accountId);
    const stores = { REDIS_URL, MONGO_URL, SLUICE_NAMESPACE: pipeline.namespace };
    const done = await withKey(key, stores);
    expect(done.code, done.stdout + done.stderr).to.equal(0);
    expect(done.rows.map(({ check, result }) => `${check} ${result}`)).to.deep.equal([
      ...[
        'API server ok',
        'clock ok',
        'API key ok',
        'scopes ok',
        'webhook endpoint ok',
        'Redis ok',
        'MongoDB ok',
        'processes ok',
      ],
    ]);
    expect(done.stdout).not.to.contain(key);
  });

  it('names the scopes that a key lacks, and what each is for', async () => {
    const { scopes } = findings((await withKey(await addKey(pipeline, accountId, ['read:leads']))).rows);
    expect(scopes?.detail).to.match(/has read:leads; lacks .*webhooks \(for sluice listen/);
  });

  it('exits with 1 for a revoked, an expired, an unknown and a mistyped key, and says so', async () => {
    const made = async (expiresAt: number | null) => {
      const wanted = { accountId, name: 'Old', scopes: ['webhooks'] as const, expiresAt };
      const one = created(await createKey({ ...pipeline.store, now: () => 0 }, wanted));
      return one;
    };
    const revoked = await made(null);
    await pipeline.store.apiKeys.revokeApiKey(revoked.apiKey.key_id, Date.now());
    const { key: expired } = await made(1000);
    for (const [key, told] of [
      [revoked.key, /revoked/],
      [expired, /expired/],
      [newApiKey().key, /does not exist/],
      [`${newApiKey().key.slice(0, -1)}!`, /not an API key/],
    ] as const) {
      const done = await withKey(key);
      expect(done.code).to.equal(1);
      expect(findings(done.rows)['API key']).to.deep.include({ result: 'problem' });
      expect(String(findings(done.rows)['API key']?.detail)).to.match(told);
    }
  });

  it('exits with 1 where a server does not respond, or is not Sluice', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const { url: stranger } = await serve((_request, response) => response.end('hello'));
    for (const [url, told] of [
      [nobody, /connection was refused/],
      [stranger, /not as Sluice does/],
    ] as const) {
      const done = await doctor({ SLUICE_URL: url }, '--events-url', url);
      expect(done.code).to.equal(1);
      for (const check of ['API server', 'webhook endpoint'])
        expect(String(findings(done.rows)[check]?.detail), check).to.match(told);
    }
  });

  it('exits with 1 for the address of the ingress, and for one with a path, and names the right one', async () => {
    for (const [url, told] of [
      [pipeline.urls[0] as string, /webhook endpoint\. The API is at/],
      [`${apis.urls[0]}/settings`, /\/settings\/: Nothing exists at this path/],
    ] as const) {
      const done = await withKey(await addKey(pipeline, accountId), { SLUICE_URL: url });
      expect(done.code).to.equal(1);
      const server = findings(done.rows)['API server'];
      expect(String(server?.detail)).to.match(told);
      expect(server).to.include({ result: 'problem' });
      expect(server?.fix).to.include('It is the address of the dashboard, without a path.');
    }
  });

  for (const [name, minutes, told] of [
    ['ahead', -10, /600 s ahead of/],
    ['behind', 10, /600 s behind/],
  ] as const)
    it(`exits with 1 for a clock that is 10 minutes ${name}`, async () => {
      const { url } = await serve((_request, response) => {
        response.sendDate = false;
        response.setHeader('date', new Date(Date.now() + minutes * 60_000).toUTCString());
        response.writeHead(401).end(JSON.stringify({ code: 'key_missing', detail: '', request_id: 'req_1' }));
      });
      const done = await doctor({ SLUICE_URL: url });
      expect(done.code).to.equal(1);
      expect(String(findings(done.rows).clock?.detail)).to.match(told);
    });

  it('exits with 1 where a store does not respond, and names no password', async () => {
    const port = await freePort();
    const done = await doctor({
      REDIS_URL: `redis://user:s3cret@127.0.0.1:${port}`,
      MONGO_URL: `mongodb://user:s3cret@127.0.0.1:${port}`,
    });
    expect(done.code).to.equal(1);
    expect(findings(done.rows).Redis).to.deep.include({ result: 'problem' });
    expect(findings(done.rows).MongoDB).to.deep.include({ result: 'problem' });
    expect(done.stdout).not.to.contain('s3cret');
  });

  it('exits with 1 where no worker works, and says why', async () => {
    const { REDIS_URL = '' } = pipeline.env;
    const stores = { REDIS_URL, SLUICE_NAMESPACE: pipeline.namespace };
    trouble = 'MongoDB is not available';
    const detailOf = async () => String(findings((await doctor(stores)).rows).processes?.detail);
    await until(async () => (await detailOf()).includes('no worker works; no dispatcher works'));
    expect(await detailOf()).to.match(/worker \d+ on .+: MongoDB is not available/);
    trouble = null;
    await until(async () => /^working: .*worker 1, dispatcher 1/.test(await detailOf()));
    const elsewhere = findings((await doctor({ REDIS_URL, SLUICE_NAMESPACE: 'nowhere' })).rows);
    expect(elsewhere.processes?.fix).to.contain('SLUICE_NAMESPACE');
  });

  it('exits with 1 where a store takes no writes, evicts, or lacks indexes, with the reason', async () => {
    const { REDIS_URL = '', MONGO_URL = '' } = pipeline.env;
    const found = async () =>
      findings((await doctor({ REDIS_URL, MONGO_URL, SLUICE_NAMESPACE: pipeline.namespace })).rows);
    const client = await new mongo.MongoClient(MONGO_URL).connect();
    try {
      const db = client.db(new URL(MONGO_URL).pathname.slice(1) || pipeline.namespace);
      await pipeline.store.ensureIndexes();
      await db.collection('api_keys').dropIndex('hash_1');
      await redis.config('SET', 'min-replicas-to-write', '1');
      const first = await found();
      expect(first.Redis?.result).to.equal('problem');
      expect(first.Redis?.detail).to.match(/^NOREPLICAS /);
      expect(first.MongoDB).to.include({
        result: 'problem',
        detail: 'it lacks 1 indexes, so queries are slow: api_keys.hash_1',
      });
      expect(await db.collection<{ _id: string }>('meta').findOne({ _id: 'doctor' })).to.equal(null);
    } finally {
      await redis.config('SET', 'min-replicas-to-write', '0');
      await pipeline.store.ensureIndexes();
      await client.close();
    }
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const second = await found();
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    expect(second.Redis?.result).to.equal('problem');
    expect(second.Redis?.detail).to.contain('redis-cli CONFIG SET maxmemory-policy noeviction');
    expect(second.MongoDB?.result).to.equal('ok');
  });

  it('reads addresses from files as the services do, and an empty one as none', async () => {
    const { REDIS_URL = '', MONGO_URL = '' } = pipeline.env;
    const env: Record<string, string> = { EVENTS_URL: '', SLUICE_NAMESPACE: pipeline.namespace };
    for (const [name, text] of Object.entries({ REDIS_URL, MONGO_URL })) {
      env[`${name}_FILE`] = join(dir, name);
      await writeFile(join(dir, name), `${text}\n`);
    }
    const done = await doctor(env);
    expect(done.code, done.stdout + done.stderr).to.equal(0);
    const found = findings(done.rows);
    for (const check of ['Redis', 'MongoDB']) expect(found[check], check).to.include({ result: 'ok' });
    expect(found['webhook endpoint']).to.include({ result: 'skipped' });
    const wrong = await doctor({ ...env, REDIS_URL_FILE: join(dir, 'missing') });
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.contain('REDIS_URL_FILE: cannot read the file');
  });

  it('checks the endpoint at INGRESS_URL, because a container cannot reach the public address', async () => {
    const EVENTS_URL = `http://127.0.0.1:${await freePort()}`;
    const done = await doctor({ EVENTS_URL, INGRESS_URL: pipeline.urls[0] as string });
    expect(done.code, done.stdout).to.equal(0);
    expect(findings(done.rows)['webhook endpoint']).to.include({ result: 'ok' });
  });

  it('checks a running npm start with the same DATA_DIR, unless another address is named', async () => {
    const { REDIS_URL = '', MONGO_URL = '' } = pipeline.env;
    const runs = await identify(process.pid);
    if (runs === undefined) throw new Error('this process runs');
    await writeStack(dir, {
      ...{ ...runs, redis_url: REDIS_URL, mongo_url: MONGO_URL, namespace: pipeline.namespace },
      ...{ events_url: pipeline.urls[0] as string, api_url: apis.urls[0] as string },
      settings: {},
      started_at: new Date().toISOString(),
    });
    const found = findings((await doctor({ DATA_DIR: dir })).rows);
    for (const check of ['API server', 'webhook endpoint', 'Redis', 'MongoDB'])
      expect(found[check], check).to.include({ result: 'ok' });
    const ours = new URL(apis.urls[0] as string);
    ours.hostname = 'localhost';
    const named = findings((await doctor({ DATA_DIR: dir, SLUICE_URL: ours.href })).rows);
    for (const check of ['Redis', 'MongoDB']) expect(named[check], check).to.include({ result: 'ok' });
    const { url: other } = await serve((_request, response) => response.end());
    const others = findings((await doctor({ DATA_DIR: dir, SLUICE_URL: other })).rows);
    for (const check of ['Redis', 'MongoDB']) expect(others[check], check).to.include({ result: 'skipped' });
  });

  it('reads the key from a file, and says what it has not checked', async () => {
    const file = join(dir, 'key');
    await writeFile(file, `${await addKey(pipeline, accountId)}\n`);
    const done = await doctor({ SLUICE_URL: apis.urls[0] as string }, '--key-file', file);
    expect(findings(done.rows)['API key']).to.deep.include({ result: 'ok' });
  });

  it('lists the private hosts that are allowed with their addresses, and names one that has none', async () => {
    const { rows } = await doctor({ OUTBOUND_ALLOW: 'localhost,10.2.0.0/16,nowhere.invalid' });
    const allowed = rows.filter(({ check }) => check === 'allowed hosts');
    expect(allowed.map(({ result }) => result)).to.deep.equal(['ok', 'problem']);
    expect(allowed[0]?.detail).to.match(/^OUTBOUND_ALLOW: localhost \(127\.0\.0\.1.*\), 10\.2\.0\.0\/16/);
    expect(allowed[1]?.detail).to.include('nowhere.invalid has no address');
  });

  it('exits with 2 where no address is set', async () => {
    const nothing = await doctor({});
    expect(nothing.code).to.equal(2);
    expect(nothing.stderr).to.include('Set SLUICE_URL');
    expect(nothing.rows.map(({ check, result }) => `${check} ${result}`)).to.deep.equal([
      ...['API server skipped', 'webhook endpoint skipped', 'Redis skipped', 'MongoDB skipped'],
    ]);
  });
});
