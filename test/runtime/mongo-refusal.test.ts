import { readReplicas } from '@sluice/monitoring/replicas';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { checkGivenMongo } from '../../tools/launcher/src/given-mongo.ts';
import { sluice } from '../cli/support.ts';
import { type RefusingMongo, startRefusingMongo } from '../support/refusing-mongo.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

const SERVICES = ['worker', 'api', 'ingress'] as const;
type Service = (typeof SERVICES)[number];
/** The next attempt follows a second later. */
const ATTEMPTS = 3;

const CASES = [
  {
    name: 'does not know the user',
    refuses: 'user',
    reason: /^Authentication failed/,
    advice: /correct MONGO_URL/,
  },
  {
    name: 'lets the user do nothing',
    refuses: 'permission',
    reason: /^not authorized/,
    advice: /readWrite and dbAdmin/,
  },
] as const;

/** The log of a service until it had tried a few times. */
interface RefusedLog {
  /** The lines about the refusal. */
  readonly told: readonly Record<string, unknown>[];
  /** All lines. */
  readonly text: string;
  readonly password: string;
}

describe('a MongoDB that answers', () => {
  const envOf = ({ url }: RefusingMongo): Record<string, string> => ({
    REDIS_URL: sharedRedisUrl(),
    MONGO_URL: url,
    SLUICE_NAMESPACE: uniqueNamespace('refused'),
    SLUICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    DRAIN_MS: '0',
    DATA_DIR: '/nonexistent',
  });

  async function logOf(service: Service, { refuses, reason }: (typeof CASES)[number]): Promise<RefusedLog> {
    const mongo = await startRefusingMongo(refuses);
    const running = startService(service, envOf(mongo));
    try {
      if (service === 'ingress' && refuses === 'permission') await askForSource(running);
      const told = () => running.log.filter((line) => reason.test(String(line.reason)));
      await until(() => told().length > 0, { what: 'the refusal is in the log' });
      const attempts = mongo.asked();
      await until(() => mongo.asked() >= attempts + ATTEMPTS, { what: 'it has tried again' });
      return { told: told(), text: JSON.stringify(running.log), password: mongo.password };
    } finally {
      await running.kill('SIGKILL');
      await mongo.close();
    }
  }

  // Each service waits for seconds between its attempts, so they run side by side.
  const logs = new Map<string, PromiseSettledResult<RefusedLog>>();
  before(async () => {
    const runs = CASES.flatMap((one) => SERVICES.map((service) => ({ one, service })));
    const results = await Promise.allSettled(runs.map(({ one, service }) => logOf(service, one)));
    for (const [index, { one, service }] of runs.entries())
      logs.set(`${one.name}, ${service}`, results[index] as PromiseSettledResult<RefusedLog>);
  });

  it('and takes no writes makes a worker not ready, with the reason, and so its report', async () => {
    const mongo = await startRefusingMongo('permission');
    const env = envOf(mongo);
    const worker = startService('worker', env);
    const redis = new Redis(env.REDIS_URL ?? '');
    const keyspace = createKeyspace(env.SLUICE_NAMESPACE ?? '');
    try {
      await worker.logged('store.away');
      const checks = async () => {
        const answer = await fetch(`${worker.adminUrl()}/readyz?verbose`);
        return ((await answer.json()) as { checks: Record<string, string> }).checks;
      };
      await until(async () => (await checks()).writes === 'not authorized on sluice to execute command');
      expect(await checks()).to.include({ redis: 'ok', mongodb: 'ok' });
      const metrics = await (await fetch(`${worker.adminUrl()}/metrics`)).text();
      expect(metrics).to.match(/^sluice_store_up\{store="mongodb".*\} 1$/m);
      await until(async () => {
        const [report] = await readReplicas({ redis, keyspace }, Date.now());
        return /writes: not authorized/.test(report?.trouble ?? '');
      });
    } finally {
      redis.disconnect();
      await worker.kill('SIGKILL');
      await mongo.close();
    }
  });

  for (const { name, refuses, advice } of CASES)
    describe(`and ${name}`, () => {
      for (const service of SERVICES)
        it(`is logged by the ${service} as a refusal, once, with a fix and without a stack`, () => {
          const log = logs.get(`${name}, ${service}`) as PromiseSettledResult<RefusedLog>;
          if (log.status === 'rejected') throw log.reason;
          const { told, text, password } = log.value;
          expect(told).to.have.length(1);
          expect(told[0]?.advice).to.match(advice);
          expect(text).to.not.contain('    at ').and.not.contain(password);
        });

      it('makes sluice report the refusal with a fix, exit code 1 and no stack', async () => {
        const mongo = await startRefusingMongo(refuses);
        const done = await sluice(['account', 'list'], { env: envOf(mongo) });
        await mongo.close();
        expect(done).to.include({ code: 1, stdout: '' });
        expect(done.stderr).to.match(advice).and.not.contain('    at ').and.not.contain(mongo.password);
      });
    });

  it('and does not know the user makes npm start name the variable to correct', async () => {
    const mongo = await startRefusingMongo('user');
    const result = await checkGivenMongo({ url: mongo.url, namespace: 'sluice-test-refused' });
    await mongo.close();
    expect(!result.ok && result.detail).to.match(/refuses the connection .*correct MONGO_URL/);
  });
});

describe('a MONGO_URL that the driver rejects', () => {
  const CASES = [
    ['an unknown option', 'tsl=true', /option tsl is not supported/],
    ['an option of the wrong kind', 'maxPoolSize=many', /maxPoolSize/],
    ['a missing file', 'tls=true&tlsCAFile=/nonexistent/ca.pem', /no such file .*\/nonexistent\/ca\.pem/],
  ] as const;
  for (const [what, options, reason] of CASES) {
    const env = () => ({
      REDIS_URL: sharedRedisUrl(),
      MONGO_URL: `mongodb://someone:hidden@127.0.0.1:1/db?${options}`,
      SLUICE_NAMESPACE: 'unused',
      SLUICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: '/nonexistent',
    });
    for (const service of SERVICES)
      it(`is logged by the ${service} as a wrong URL, not as a MongoDB that is away: ${what}`, async () => {
        const running = startService(service, env());
        try {
          const told = await running.logged('mongodb.unusable_url');
          expect(told.level).to.equal(50);
          expect(told.reason).to.match(reason);
          expect(told.advice).to.match(/^Correct MONGO_URL/);
          const log = JSON.stringify(running.log);
          expect(log.toLowerCase()).to.not.contain('mongodb is unavailable; retrying');
          expect(log).to.not.contain('    at ').and.not.contain('hidden');
        } finally {
          await running.kill('SIGKILL');
        }
      });

    it(`is reported by sluice and npm start as a wrong URL: ${what}`, async () => {
      const done = await sluice(['account', 'list'], { env: env() });
      expect(done).to.include({ code: 1, stdout: '' });
      expect(done.stderr)
        .to.match(reason)
        .and.match(/Correct MONGO_URL/);
      expect(done.stderr).to.not.contain('hidden').and.not.contain('    at ');
      const result = await checkGivenMongo({ url: env().MONGO_URL, namespace: 'unused' });
      expect(!result.ok && result.detail)
        .to.match(reason)
        .and.match(/Correct MONGO_URL/);
    });
  }
});

/** An ingress queries MongoDB beyond its version only when a request names a source. */
async function askForSource(ingress: ServiceProcess): Promise<void> {
  const { url } = await ingress.logged('ingress.listening');
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/api/v1/events/webhook/src_1`, { method: 'POST', headers, body: '{}' });
}
