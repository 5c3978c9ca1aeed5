import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLiveFeed } from '@sluice/api/deliveries/live-feed';
import { createHttpServer } from '@sluice/api/server';
import type { Delivery } from '@sluice/contract/delivery';
import { publishDeliveries } from '@sluice/monitoring/live-deliveries';
import { textOfPlace } from '@sluice/monitoring/read-streams';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startRedis } from '../support/redis-server.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';
import { upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { useInstallation } from './support/installation.ts';

describe('api: watching deliveries, on a running installation', () => {
  const at = useInstallation();

  it('sends new rows at once, and missed rows after a reconnect', async () => {
    const source = await at.addSource();
    const server = createHttpServer(at.api.replicas[1]?.app as never).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/dashboard/v1/deliveries/live?source_id=${source.id}`;
    const watch = async (lastId?: string) => {
      const abort = new AbortController();
      const headers = { cookie: at.owner.cookie, ...(lastId !== undefined && { 'last-event-id': lastId }) };
      const response = await fetch(base, { headers, signal: abort.signal });
      expect(response.headers.get('content-type')).to.equal('text/event-stream');
      let text = '';
      void (async () => {
        for await (const chunk of response.body as ReadableStream<Uint8Array>)
          text += Buffer.from(chunk).toString();
      })().catch(() => undefined);
      await until(() => text.includes('retry:'));
      return { text: () => text, stop: () => abort.abort() };
    };
    try {
      const first = await watch();
      await at.sendTo(source, upsertBody({ title: 'Seen live' }));
      await until(() => first.text().includes('Seen live'));
      expect(first.text())
        .to.match(/"bytes":\d+/)
        .and.not.contain('starts_at');
      const id = /^id: (\S+)$/m.exec(first.text())?.[1] as string;
      first.stop();
      await at.sendTo(source, upsertBody({ title: 'Missed' }));
      await at.logged(source, 2);
      const second = await watch(id);
      await until(() => second.text().includes('Missed'));
      expect(second.text()).not.to.contain('Seen live');
      second.stop();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('publishes rows only while a client watches, and tells a returning client of missing rows', async () => {
    const { url, stop } = await startRedis();
    const redis = new Redis(url);
    const keyspace = createKeyspace(uniqueNamespace());
    const feed = createLiveFeed({ redis, keyspace, onError: () => undefined, everyMs: 5, renewMs: 20 });
    const watch = async (lastId?: string) => {
      const seen = { ids: [] as string[], missed: 0 };
      const end = await feed.watch('acc_1', lastId, {
        onEntry: ({ place }) => void seen.ids.push(textOfPlace(place)),
        onMissed: () => {
          seen.missed += 1;
        },
        onEnd: () => undefined,
      });
      return { seen, end };
    };
    const publish = () => publishDeliveries({ redis, keyspace }, [row]);
    const row = { account_id: 'acc_1', source_id: 'src_1' } as Delivery;
    try {
      await publish();
      expect(await redis.exists(keyspace.live('acc_1'))).to.equal(0);

      const first = await watch();
      await publish();
      await until(() => first.seen.ids.length === 1);
      const [id] = first.seen.ids;
      const again = await watch(id);
      expect([first.seen.missed, again.seen.missed]).to.deep.equal([0, 0]);

      // Simulates a failover to a Redis that has not received the key yet.
      await redis.del(keyspace.watched('acc_1'));
      await until(() => first.seen.missed > 0 && again.seen.missed > 0);
      await publish();
      await until(() => first.seen.ids.length === 2);

      first.end();
      again.end();
      await redis.del(keyspace.watched('acc_1'));
      await publish();
      const late = await watch(first.seen.ids[1]);
      expect(late.seen.missed).to.equal(1);
      late.end();
    } finally {
      feed.close();
      redis.disconnect();
      await stop();
    }
  });

  it('tells clients that rows are missing if more is written at once than is buffered', async () => {
    const { url, stop } = await startRedis();
    const redis = new Redis(url);
    const keyspace = createKeyspace(uniqueNamespace());
    const feed = createLiveFeed({ redis, keyspace, onError: () => undefined, everyMs: 10 });
    const seen: string[] = [];
    let missed = 0;
    const rows = (name: string) => [{ account_id: 'acc_1', title: name } as Delivery];
    try {
      await feed.watch('acc_1', undefined, {
        onEntry: (entry) => void seen.push(entry.rows[0]?.title as string),
        onMissed: () => {
          missed += 1;
        },
        onEnd: () => undefined,
      });
      await publishDeliveries({ redis, keyspace }, rows('before'));
      await until(() => seen.includes('before'));
      expect(missed).to.equal(0);
      // One transaction, so a reader sees all rows at once.
      const burst = redis.multi();
      for (let n = 0; n < 1000; n++) await publishDeliveries({ redis: into(burst), keyspace }, rows(`${n}`));
      await burst.exec();
      await until(() => seen.includes('999'));
      expect(seen.length).to.be.below(1000);
      expect(missed).to.be.at.least(1);
    } finally {
      feed.close();
      redis.disconnect();
      await stop();
    }
  });

  it('does so for an account without earlier rows too, and not if all rows are buffered', async () => {
    const { url, stop } = await startRedis();
    const redis = new Redis(url);
    const keyspace = createKeyspace(uniqueNamespace());
    const feed = createLiveFeed({ redis, keyspace, onError: () => undefined, everyMs: 10 });
    /** Watches an account, writes `count` entries at once, and returns the callbacks received. */
    const firstBurst = async (account_id: string, count: number) => {
      const seen = { last: '', entries: 0, missed: 0 };
      const end = await feed.watch(account_id, undefined, {
        onEntry: ({ rows }) => {
          seen.entries += 1;
          seen.last = rows[0]?.title ?? '';
        },
        onMissed: () => {
          seen.missed += 1;
        },
        onEnd: () => undefined,
      });
      const burst = redis.multi();
      for (let n = 1; n <= count; n++)
        await publishDeliveries({ redis: into(burst), keyspace }, [
          { account_id, title: `${n}` } as Delivery,
        ]);
      await burst.exec();
      await until(() => seen.last === `${count}`);
      end();
      return seen;
    };
    try {
      expect(await firstBurst('acc_1', 150)).to.deep.equal({ last: '150', entries: 150, missed: 0 });
      const { entries, missed } = await firstBurst('acc_2', 1000);
      expect(entries).to.be.below(1000);
      expect(missed).to.be.at.least(1);
    } finally {
      feed.close();
      redis.disconnect();
      await stop();
    }
  });

  it('ends the stream when Redis is away, instead of waiting for rows', async () => {
    const own = await startRedis();
    const redis = new Redis(own.url, { maxRetriesPerRequest: 0, retryStrategy: () => null });
    redis.on('error', () => undefined);
    const feed = createLiveFeed({
      redis,
      keyspace: createKeyspace(uniqueNamespace()),
      onError: () => undefined,
    });
    let ended = false;
    const nothing = () => undefined;
    try {
      await feed.watch('acc_1', undefined, {
        onEntry: nothing,
        onMissed: nothing,
        onEnd: () => {
          ended = true;
        },
      });
      expect(ended).to.equal(false);
      await own.stop();
      await until(() => ended);
    } finally {
      feed.close();
      redis.disconnect();
      await own.stop();
    }
  });
});

/** A Redis that collects writes in a transaction, and reports that a client watches. */
function into(gathered: ReturnType<Redis['multi']>): Redis {
  return {
    mget: async () => ['1'],
    xadd: (...args: [string]) => gathered.xadd(...args),
    expire: (key: string, seconds: number) => gathered.expire(key, seconds),
  } as unknown as Redis;
}
