import { createLiveFeed, type LiveFeed } from '@sluice/api/deliveries/live-feed';
import type { Delivery } from '@sluice/contract/delivery';
import { accessChangesNow, noteAccessChange, readAccessChanges } from '@sluice/monitoring/access-changes';
import { publishDeliveries } from '@sluice/monitoring/live-deliveries';
import { textOfPlace } from '@sluice/monitoring/read-streams';
import { createKeyspace, type Keyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

/** An id by the clock of a former master, which was ahead of every other. */
const AHEAD = '9000000000000-1';

describe('api: live streams after Redis failed over to a server with a slower clock', () => {
  let server: RedisServer;
  let redis: Redis;
  let keyspace: Keyspace;
  let feed: LiveFeed;
  before(async () => {
    server = await startRedis({ args: ['--enable-debug-command', 'local'] });
    redis = new Redis(server.url);
  });
  beforeEach(() => {
    keyspace = createKeyspace(uniqueNamespace());
    feed = createLiveFeed({ redis, keyspace, onError: () => undefined, everyMs: 5 });
  });
  afterEach(() => feed?.close());
  after(async () => {
    redis?.disconnect();
    await server?.stop();
  });

  const row = (title: string) => ({ account_id: 'acc_1', title }) as Delivery;
  const publish = (title: string) => publishDeliveries({ redis, keyspace }, [row(title)]);
  const watch = async (lastId?: string) => {
    const seen = { titles: [] as (string | null)[], lastId: '', missed: 0, users: [] as string[] };
    const end = await feed.watch('acc_1', lastId, {
      onEntry: ({ place, rows }) => {
        seen.titles.push(...rows.map(({ title }) => title));
        seen.lastId = textOfPlace(place);
      },
      onMissed: () => {
        seen.missed += 1;
      },
      onAccessChanged: (users) => void seen.users.push(...(users === 'anyone' ? [users] : users)),
      onEnd: () => undefined,
    });
    return { seen, end };
  };
  /** The stream without its last entry, whose id no later one exceeds, in another run of Redis. */
  const failOver = async (key: string) => {
    await redis.multi().xdel(key, AHEAD).call('XSETID', key, '1-1').exec();
    await redis.call('DEBUG', 'CHANGE-REPL-ID');
  };
  const writeAhead = () =>
    redis.xadd(keyspace.live('acc_1'), AHEAD, 'rows', JSON.stringify([row('lost')]), 'omitted', '0');

  it('reports to open pages that rows may be missing, and sends those that are written afterwards', async () => {
    const { seen } = await watch();
    await writeAhead();
    await until(() => seen.titles.includes('lost'));
    await failOver(keyspace.live('acc_1'));
    await until(() => seen.missed > 0);
    await publish('after');
    await until(() => seen.titles.includes('after'));
    expect(seen).to.include({ missed: 1 });
  });

  it('reports it to a returning page too, whose place is ahead of all later rows', async () => {
    const { seen: before, end } = await watch();
    await writeAhead();
    await until(() => before.titles.includes('lost'));
    end();
    await failOver(keyspace.live('acc_1'));
    await publish('while away');
    const { seen } = await watch(before.lastId);
    expect(seen.missed).to.equal(1);
    await publish('after');
    await until(() => seen.titles.includes('after'));
  });

  it('reports it to a returning page whose place is before all later rows', async () => {
    const { seen: before, end } = await watch();
    for (const title of ['kept', 'lost']) await publish(title);
    await until(() => before.titles.includes('lost'));
    end();
    const [id = ''] = before.lastId.match(/^\d+-\d+/) ?? [];
    expect(await redis.xdel(keyspace.live('acc_1'), id)).to.equal(1);
    await redis.call('DEBUG', 'CHANGE-REPL-ID');
    await publish('while away');
    expect((await watch(before.lastId)).seen.missed).to.equal(1);
  });

  it('treats the place of an earlier version, which names no run, as one of another run', async () => {
    for (const id of ['5-1', '5-2'])
      await redis.xadd(keyspace.live('acc_1'), id, 'rows', '[]', 'omitted', '0');
    await (await watch()).end();
    const { seen } = await watch('5-1');
    expect(seen.missed).to.equal(1);
    await publish('after');
    await until(() => seen.titles.includes('after'));
  });

  it('checks the access of every user, and then of those that are noted', async () => {
    const { seen } = await watch();
    await redis.xadd(keyspace.accessChanges, AHEAD, 'user', 'usr_1');
    await until(() => seen.users.includes('usr_1'));
    await failOver(keyspace.accessChanges);
    await until(() => seen.users.includes('anyone'));
    await noteAccessChange({ redis, keyspace }, 'usr_2');
    await until(() => seen.users.includes('usr_2'));
    expect(seen.users).to.deep.equal(['usr_1', 'anyone', 'usr_2']);
  });

  it('reads notes that a stream has after its end, by whatever clock', async () => {
    await redis.xadd(keyspace.accessChanges, AHEAD, 'user', 'usr_1');
    const place = await accessChangesNow({ redis, keyspace });
    await redis.del(keyspace.accessChanges);
    const gone = await readAccessChanges({ redis, keyspace }, place);
    expect(gone.users).to.deep.equal(new Set());
    await noteAccessChange({ redis, keyspace }, 'usr_2');
    expect((await readAccessChanges({ redis, keyspace }, gone.place)).users).to.deep.equal(
      new Set(['usr_2']),
    );
  });

  it('are not told that a note was stored if Redis has rejected it', async () => {
    await redis.config('SET', 'maxmemory', '1');
    const noted = await noteAccessChange({ redis, keyspace }, 'usr_1').then(
      () => 'stored',
      (error: Error) => error.message,
    );
    await redis.config('SET', 'maxmemory', '0');
    expect(noted).to.match(/^OOM /);
  });
});
