import { HOUR_MS } from '@sluice/contract/time/durations';
import { createActivity } from '@sluice/monitoring/activity';
import { bucketOf, percentile } from '@sluice/monitoring/histogram';
import { createActivityReader } from '@sluice/monitoring/read-activity';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import fc from 'fast-check';
import { useRedisClient } from '../support/redis-client.ts';
import { uniqueNamespace } from '../support/shared-redis.ts';

describe('activity: counters for the charts', () => {
  const redis = useRedisClient();

  const open = () => {
    const keyspace = createKeyspace(uniqueNamespace());
    const failures: unknown[] = [];
    const replica = () =>
      createActivity({ redis, keyspace, onError: (error) => failures.push(error), flushMs: 1e9 });
    return {
      keyspace,
      replicas: [replica(), replica()] as const,
      reader: createActivityReader({ redis, keyspace }),
      failures,
    };
  };

  it('add up over replicas, by the minute and by the hour, and expire', async () => {
    const { keyspace, replicas, reader, failures } = open();
    const at = Date.parse('2026-11-21T10:59:30Z');
    for (const replica of replicas) {
      replica.add('acc_1', at, 's:200', 3);
      replica.add('acc_1', at + 40_000, 's:200');
      replica.add('acc_1', at, 's:401');
      await replica.flush();
      await replica.close();
    }
    const minutes = await reader.read('acc_1', 'minutes', at - HOUR_MS, at + HOUR_MS);
    expect(
      minutes.map((slot) => [new Date(slot.at).toISOString().slice(11, 16), Object.fromEntries(slot.counts)]),
    ).to.deep.equal([
      ['10:59', { 's:200': 6, 's:401': 2 }],
      ['11:00', { 's:200': 2 }],
    ]);
    const hours = await reader.read('acc_1', 'hours', at - HOUR_MS, at + HOUR_MS);
    expect(hours.map(({ counts }) => counts.get('s:200'))).to.deep.equal([6, 2]);
    expect(await reader.read('acc_2', 'minutes', at - HOUR_MS, at + HOUR_MS)).to.deep.equal([]);
    const keys = await redis.keys(`${keyspace.prefix}:activity:*`);
    expect(keys).to.have.length(3);
    // Readers need the minutes of a day and the hours of a month.
    for (const key of keys)
      expect(await redis.ttl(key), key).to.be.above(key.includes(':h') ? 25 * 3600 : 31 * 86_400);
    expect(failures).to.deep.equal([]);
  });

  it('add late counts to a minute that was written before', async () => {
    const { replicas, reader, failures } = open();
    const at = Date.parse('2026-11-21T10:59:30Z');
    const [replica] = replicas;
    for (const value of [7, 9]) {
      replica.add('acc_1', at, 's:200');
      replica.set('acc_1', at, 'newest', value);
      await replica.flush();
    }
    await replica.close();
    for (const unit of ['minutes', 'hours'] as const) {
      const slots = await reader.read('acc_1', unit, at - HOUR_MS, at + HOUR_MS);
      expect(
        slots.map(({ counts }) => Object.fromEntries(counts)),
        unit,
      ).to.deep.equal([{ 's:200': 2, newest: 9 }]);
    }
    expect(failures).to.deep.equal([]);
  });

  it('never move the time of a last delivery back, whichever replica writes last', async () => {
    const { replicas, reader, failures } = open();
    const at = Date.parse('2026-11-21T10:59:30Z');
    const [late, early] = replicas;
    late.sawDelivery('src_1', at);
    early.sawDelivery('src_1', at - 5000);
    early.sawDelivery('src_2', at - 4000);
    early.sawDelivery('src_2', at - 6000);
    await late.close();
    await early.close();
    expect(await reader.lastDeliveries(['src_1', 'src_2', 'src_3'])).to.deep.equal([at, at - 4000, null]);
    expect(failures).to.deep.equal([]);
  });

  it('count each client once over all replicas and hours, without addresses, and expire', async () => {
    const { keyspace, replicas, reader, failures } = open();
    const at = Date.parse('2026-11-21T10:59:30Z');
    for (const replica of replicas) {
      for (const late of [0, 40_000, 80_000]) {
        for (const client of ['203.0.113.7', '2001:db8::7']) replica.sawClient('key_1', at + late, client);
      }
      replica.sawClient('key_2', at, '203.0.113.7');
      await replica.flush();
      await replica.close();
    }
    expect(await reader.countClients('key_1', at, at + HOUR_MS)).to.equal(2);
    expect(await reader.countClients('key_2', at, at + HOUR_MS)).to.equal(1);
    expect(await reader.countClients('key_2', at + HOUR_MS, at + 2 * HOUR_MS)).to.equal(0);
    const keys = await redis.keys(`${keyspace.prefix}:clients:*`);
    expect(keys).to.have.length(3);
    for (const key of keys) {
      expect(await redis.ttl(key)).to.be.above(25 * 3600);
      expect(await redis.get(key)).to.not.match(/203\.0\.113|2001:db8/);
    }
    expect(failures).to.deep.equal([]);
  });

  it('report a refused write once, and again after a success', async () => {
    const { keyspace, replicas, failures } = open();
    const [replica] = replicas;
    const at = Date.parse('2026-11-21T10:59:30Z');
    const write = async (client: string) => {
      replica.sawClient('key_1', at, client);
      await replica.flush();
    };
    await write('203.0.113.7');
    const [key = ''] = await redis.keys(`${keyspace.prefix}:clients:*`);
    for (const client of ['203.0.113.8', '203.0.113.9']) {
      await redis.set(key, 'no HyperLogLog');
      await write(client);
      await write(client);
      await redis.del(key);
      await write(client);
    }
    await replica.close();
    expect(failures.map((error) => (error as Error).message.split(' ')[0])).to.deep.equal([
      'WRONGTYPE',
      'WRONGTYPE',
    ]);
  });

  it('estimate a percentile within its bucket', () => {
    const durations = fc.array(fc.double({ min: 0, max: 3_600_000, noNaN: true }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(durations, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, share) => {
        const counts = new Map<number, number>();
        for (const value of values) counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1);
        const exact = values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] as number;
        const found = percentile(counts, share) as number;
        // The result is rounded to a tenth, which may just reach the bound of the bucket below.
        expect(Math.abs(bucketOf(found) - bucketOf(exact))).to.be.at.most(1);
      }),
    );
    expect(percentile(new Map(), 0.5)).to.equal(null);
  });
});
