import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { createObserver } from '@sluice/ingress/observe/observer';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { startIngress } from '../support/ingress.ts';
import { loseWrites } from '../support/lose-writes.ts';
import { postUpsert } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { useRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('ingress: an idle connection to a Redis that loses writes', function () {
  this.timeout(240_000);
  const server = useRedis({ aof: true });
  const redis = useRedisClient(() => server.url);
  const ingress = use(() => startIngress({ redisUrl: server.url }));

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

describe('ingress: a Redis that comes back', function () {
  this.timeout(240_000);
  const server = useRedis({ aof: true });
  const copies = newFolder();
  const metrics = createMetrics({ service: 'ingress' });
  const lines: string[] = [];
  const ingress = use(() => {
    const observer = createObserver({
      metrics,
      logger: createLogger({
        service: 'ingress',
        level: 'info',
        destination: { write: (line) => void lines.push(line) },
      }),
    });
    return startIngress({ redisUrl: server.url, observer });
  });

  const post = async (count: number) => {
    const source = await ingress.addSource();
    for (let n = 0; n < count; n++)
      expect((await postUpsert(ingress.url, source, { title: `${n}` })).status).to.equal(200);
  };
  /** Starts Redis again with other data, and resolves once the ingress accepts requests again. */
  const comeBack = async (withData: () => Promise<unknown>) => {
    const changes = () => ingress.logLines.filter((line) => line.includes('"gate.changed"')).length;
    const before = changes();
    await server.kill();
    await until(() => changes() === before + 1, { what: 'the gate is closed' });
    await withData();
    await server.restart();
    await until(() => changes() === before + 2, { what: 'the gate is open' });
  };
  const lost = () =>
    lines
      .map((line) => JSON.parse(line) as { event?: string; groups?: number; last_confirmed_at?: string })
      .filter(({ event }) => event === 'redis.lost_writes');

  it('with all that it confirmed has lost nothing; empty, or with an older copy, it has lost writes', async () => {
    await post(2);
    await comeBack(async () => undefined);
    expect(lost()).to.deep.equal([]);

    await cp(server.dir, copies, { recursive: true });
    await post(3);
    const confirmedBy = Date.now();
    await comeBack(async () => {
      await rm(server.dir, { recursive: true });
      await cp(copies, server.dir, { recursive: true });
    });
    expect(lost().map(({ groups }) => groups)).to.deep.equal([3]);
    expect(Date.parse(lost()[0]?.last_confirmed_at ?? '')).to.be.within(confirmedBy - 60_000, confirmedBy);

    await comeBack(() => rm(join(server.dir, 'appendonlydir'), { recursive: true }));
    expect(lost().map(({ groups }) => groups)).to.deep.equal([3, 2]);
    expect(await metrics.text()).to.match(/^sluice_redis_lost_groups_total\{.*\} 5$/m);
  });
});
