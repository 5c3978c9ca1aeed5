import { startHeartbeat } from '@sluice/monitoring/replicas';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { createMailsWanted } from '../../services/worker/src/refusing/mails-wanted.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

describe('mails about sources', () => {
  const redis = useRedisClient();

  it('are wanted while an API server with a mail server runs, which is asked once a minute', async () => {
    const keyspace = createKeyspace(uniqueNamespace());
    const clock = { now: Date.now() };
    const areWanted = createMailsWanted({ redis, keyspace, now: () => clock.now });
    expect(await areWanted()).to.equal(false);
    const silent = startHeartbeat({ redis, keyspace, kind: 'api', trouble: () => null, mails: false });
    const mailing = startHeartbeat({ redis, keyspace, kind: 'api', trouble: () => null, mails: true });
    await until(async () => (await redis.hlen(keyspace.replicas)) === 2, { what: 'two heartbeats' });
    expect(await areWanted()).to.equal(false);
    clock.now += 60_000;
    expect(await areWanted()).to.equal(true);
    await mailing.stop();
    clock.now += 60_000;
    expect(await areWanted()).to.equal(false);
    await silent.stop();
  });
});
