import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startIngress, type TestIngress } from '../support/ingress.ts';
import { loseWrites } from '../support/lose-writes.ts';
import { postUpsert } from '../support/post.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

describe('ingress: an idle connection to a Redis that loses writes', function () {
  this.timeout(240_000);
  let server: RedisServer;
  let redis: Redis;
  let ingress: TestIngress;
  before(async () => {
    server = await startRedis({ aof: true });
    redis = new Redis(server.url);
    ingress = await startIngress({ redisUrl: server.url });
  });
  after(async () => {
    redis?.disconnect();
    await ingress?.close();
    await server?.stop();
  });

  /** Each poll of the gate uses EXISTS once. */
  const polls = async () =>
    Number(/^cmdstat_exists:calls=(\d+)/m.exec(await redis.info('commandstats'))?.[1] ?? 0);

  it('does not make a rotated secret valid again, once the gate has looked at Redis', async () => {
    const source = await ingress.addSource();
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    const secret = newSigningSecret();
    await loseWrites(server, () => ingress.changeSource(source, { secret }));
    const before = await polls();
    await until(async () => (await polls()) >= before + 2);
    expect((await postUpsert(ingress.url, source)).body.code).to.equal('signature_invalid');
    expect((await postUpsert(ingress.url, { ...source, secret })).status).to.equal(200);
  });
});
