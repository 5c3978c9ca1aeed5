import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sluice } from '../cli/support.ts';
import { useTestMongo } from '../support/mongo-server.ts';
import { useRedis } from '../support/redis-server.ts';
import { startService } from '../support/service-process.ts';

describe('a user of Redis', () => {
  const redis = useRedis();
  const mongo = useTestMongo('permissions');
  before(async () => {
    const admin = new Redis(redis.url);
    for (const [user, keys] of [
      ['sluice', '~{sluice:*'],
      ['other', '~other:*'],
    ] as const)
      await admin.acl('SETUSER', user, 'on', '>password', keys, '&*', '+@all');
    admin.disconnect();
  });

  const envOf = (user: string) => ({
    REDIS_URL: redis.url.replace('//', `//${user}:password@`),
    MONGO_URL: mongo.url,
    SLUICE_NAMESPACE: 'sluice',
    SLUICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    DRAIN_MS: '0',
    DATA_DIR: '/nonexistent',
  });

  it('needs only the keys of the namespace, for all services and for sluice', async () => {
    const services = (['worker', 'api', 'ingress'] as const).map((name) =>
      startService(name, envOf('sluice')),
    );
    try {
      await Promise.all(services.map((service) => service.ready()));
      const made = await sluice(['source', 'create', '--name', 'Booking'], { env: envOf('sluice') });
      expect(made.code, made.stderr).to.equal(0);
      expect(JSON.stringify(services.flatMap(({ log }) => log))).to.not.contain('NOPERM');
    } finally {
      await Promise.all(services.map((service) => service.kill('SIGTERM')));
    }
  });

  it('that lacks a permission makes a worker (78) and sluice (1) name it, without a stack', async () => {
    const worker = startService('worker', envOf('other'));
    const line = await worker.logged('redis.refuses');
    await worker.kill('SIGTERM');
    expect(line.advice).to.contain('ACL SETUSER');
    expect(line.reason).to.match(/^NOPERM/);
    expect(worker.ended()).to.equal(78);
    const done = await sluice(['source', 'create', '--name', 'Booking'], { env: envOf('other') });
    expect(done).to.include({ code: 1, stdout: '' });
    expect(done.stderr).to.contain('NOPERM').and.contain('ACL SETUSER').and.not.contain('    at ');
  });
});
