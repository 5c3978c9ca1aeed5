import { createLiveFeed, type LiveFeed } from '@sluice/api/deliveries/live-feed';
import { lastPlace } from '@sluice/monitoring/read-streams';
import { createKeyspace, type Keyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

describe('api: the position of each client that watches deliveries', () => {
  let redis: Redis;
  let keyspace: Keyspace;
  let feed: LiveFeed;
  beforeEach(() => {
    redis = new Redis(sharedRedisUrl());
    keyspace = createKeyspace(uniqueNamespace());
    feed = createLiveFeed({ redis, keyspace, onError: () => undefined, everyMs: 5 });
  });
  afterEach(() => {
    feed?.close();
    redis?.disconnect();
  });

  const write = (...ids: string[]) =>
    Promise.all(ids.map((id) => redis.xadd(keyspace.live('acc_1'), id, 'rows', '[]', 'omitted', '0')));
  const watch = async (lastId?: string) => {
    const seen = { ids: [] as string[], missed: 0, ended: 0 };
    await feed.watch('acc_1', lastId, {
      onEntry: ({ place }) => void seen.ids.push(place.id),
      onMissed: () => {
        seen.missed += 1;
      },
      onEnd: () => {
        seen.ended += 1;
      },
    });
    return seen;
  };

  it('is independent: a returning client gets rows that others have, and they do not get them again', async () => {
    const first = await watch();
    await write('5-1', '5-2', '5-10');
    await until(() => first.ids.length === 3);
    const { run } = await lastPlace(redis, keyspace.live('acc_1'));
    const back = await watch(`5-2-${run}`);
    await until(() => back.ids.length === 1);
    await write('6-0');
    await until(() => first.ids.includes('6-0') && back.ids.includes('6-0'));
    expect(first.ids).to.deep.equal(['5-1', '5-2', '5-10', '6-0']);
    expect(back).to.deep.equal({ ids: ['5-10', '6-0'], missed: 0, ended: 0 });
  });

  it('starts now if the browser sends an invalid id, without ending other streams', async () => {
    const other = await watch();
    await write('5-1');
    await until(() => other.ids.length === 1);
    const odd = await Promise.all(['nonsense', '', '5', '-', '$', `${'9'.repeat(30)}-1`].map(watch));
    await write('6-0');
    const all = [other, ...odd];
    await until(() => all.every(({ ids, ended }) => ended > 0 || ids.includes('6-0')));
    for (const { ids, ended } of odd) expect({ ids, ended }).to.deep.equal({ ids: ['6-0'], ended: 0 });
    expect(other).to.deep.equal({ ids: ['5-1', '6-0'], missed: 0, ended: 0 });
  });
});
