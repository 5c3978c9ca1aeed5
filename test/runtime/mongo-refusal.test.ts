import { startServer } from '@sluice/embedded-mongodb/server';
import { readReplicas } from '@sluice/monitoring/replicas';
import { createKeyspace } from '@sluice/redis/keyspace';
import { connectStore } from '@sluice/store/connect';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { checkGivenMongo } from '../../tools/launcher/src/given-mongo.ts';
import { sluice } from '../cli/support.ts';
import { startRefusingMongo } from '../support/refusing-mongo.ts';
import { startService } from '../support/service-process.ts';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { recordingLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

const envOf = (url: string): Record<string, string> => ({
  REDIS_URL: sharedRedisUrl(),
  MONGO_URL: url,
  SLUICE_NAMESPACE: uniqueNamespace('refused'),
  SLUICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  DRAIN_MS: '0',
  DATA_DIR: '/nonexistent',
});

/** What a service logs of a MongoDB at this URL, until `isEnough`. */
async function loggedOf(url: string, isEnough: (lines: number) => boolean) {
  const { logger, records } = recordingLogger();
  const store = connectStore({ url, namespace: uniqueNamespace('refused'), logger });
  store.opened().catch(() => undefined);
  try {
    await until(() => isEnough(records.length), { what: 'the log has enough' });
    return records;
  } finally {
    await store.close();
  }
}

/** The errors of MongoDB, for an unknown user and for one without permissions. */
const REFUSALS = {
  user: { code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' },
  permission: {
    code: 13,
    codeName: 'Unauthorized',
    errmsg: 'not authorized on sluice to execute command',
  },
};
const HARMLESS = /^(hello|ismaster|ping|buildInfo|endSessions)$/i;
const PASSWORD = 'hunter2';

async function startRefusing(refuses: keyof typeof REFUSALS) {
  const server = await startServer();
  const mongo = await startRefusingMongo(server.url, (command) => !HARMLESS.test(command));
  mongo.refuse(REFUSALS[refuses]);
  const user = refuses === 'user' ? `sluice:${PASSWORD}@` : '';
  const close = () => mongo.close().then(server.close);
  return { url: mongo.url.replace('//', `//${user}`), refused: mongo.refused, close };
}

describe('a MongoDB that answers', () => {
  let mongo: Awaited<ReturnType<typeof startRefusing>>;
  afterEach(() => mongo?.close());

  it('and does not know the user is logged once as a refusal, with a fix and without a stack', async () => {
    mongo = await startRefusing('user');
    let asked = 0;
    const records = await loggedOf(mongo.url, (lines) => {
      if (lines === 0) asked = mongo.refused();
      return lines > 0 && mongo.refused() > asked + 2;
    });
    expect(records).to.have.length(1);
    expect(records[0]?.event).to.equal('mongodb.refuses');
    expect(records[0]?.reason).to.match(/^Authentication failed/);
    expect(records[0]?.advice).to.match(/correct MONGO_URL/);
    expect(JSON.stringify(records)).to.not.contain('    at ').and.not.contain(PASSWORD);
  });

  it('and takes no writes makes a worker not ready, with the reason and a fix, and so its report', async () => {
    mongo = await startRefusing('permission');
    const env = envOf(mongo.url);
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
      const told = worker.log.filter(({ reason }) => /^not authorized/.test(String(reason)));
      expect(told[0]?.advice).to.match(/readWrite and dbAdmin/);
      expect(JSON.stringify(worker.log)).to.not.contain('    at ').and.not.contain(PASSWORD);
    } finally {
      redis.disconnect();
      await worker.kill('SIGKILL');
    }
  });

  for (const [refuses, advice] of [
    ['user', /correct MONGO_URL/],
    ['permission', /readWrite and dbAdmin/],
  ] as const)
    it(`and refuses (${refuses}) makes sluice report it with a fix, exit code 1 and no stack`, async () => {
      mongo = await startRefusing(refuses);
      const done = await sluice(['account', 'list'], { env: envOf(mongo.url) });
      expect(done).to.include({ code: 1, stdout: '' });
      expect(done.stderr).to.match(advice).and.not.contain('    at ').and.not.contain(PASSWORD);
    });
});

describe('a MONGO_URL that the driver rejects', () => {
  for (const [what, options, reason] of [
    ['an unknown option', 'tsl=true', /option tsl is not supported/],
    ['an option of the wrong kind', 'maxPoolSize=many', /maxPoolSize/],
    ['a missing file', 'tls=true&tlsCAFile=/nonexistent/ca.pem', /no such file .*\/nonexistent\/ca\.pem/],
  ] as const)
    it(`is logged as a wrong URL, not as a MongoDB that is away, also by npm start: ${what}`, async () => {
      const url = `mongodb://someone:hidden@127.0.0.1:1/db?${options}`;
      const [told, ...others] = await loggedOf(url, (lines) => lines > 0);
      expect(others).to.deep.equal([]);
      expect(told).to.include({ event: 'mongodb.unusable_url', level: 50 });
      expect(told?.reason).to.match(reason);
      expect(told?.advice).to.match(/^Correct MONGO_URL/);
      const result = await checkGivenMongo({ url, namespace: 'unused' });
      expect(!result.ok && result.detail)
        .to.match(reason)
        .and.match(/Correct MONGO_URL/);
      expect(JSON.stringify([told, result]))
        .to.not.contain('    at ')
        .and.not.contain('hidden');
    });

  it('is reported by sluice as a wrong URL', async () => {
    const done = await sluice(['account', 'list'], {
      env: envOf('mongodb://u:hidden@127.0.0.1:1/db?tsl=true'),
    });
    expect(done).to.include({ code: 1, stdout: '' });
    expect(done.stderr)
      .to.match(/option tsl is not supported/)
      .and.match(/Correct MONGO_URL/);
    expect(done.stderr).to.not.contain('hidden').and.not.contain('    at ');
  });
});
