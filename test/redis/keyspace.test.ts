import { createKeyspace, luaKeys } from '@sluice/redis/keyspace';
import { shardOf } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sharedRedisUrl } from '../support/shared-redis.ts';

describe('the names of keys', () => {
  const keyspace = createKeyspace('sluice', 3);
  const lua = luaKeys('ARGV[1]');

  it('never change, because data in Redis is stored under them', () => {
    const { source, seen, planUse, badSignatures, folded, limit, activity, clients } = keyspace;
    const names = {
      ...Object.fromEntries(Object.entries(keyspace).filter(([, name]) => typeof name === 'string')),
      accountOf: keyspace.accountOf('src_1'),
      source: source('src_1'),
      seen: seen('1790000000'),
      planUse: planUse('acc_1', '2026-11'),
      badSignatures: badSignatures('::1', 7),
      folded: folded('src_1', 7),
      limit: limit('key', 'key_1'),
      activity: activity('acc_1', 'h7'),
      clients: clients('key_1', 'd7'),
      results: keyspace.results('ing_1'),
      subscriptions: keyspace.subscriptions('acc_1'),
      mailbox: keyspace.mailbox('sub_1'),
    };
    expect(names).to.deep.equal({
      prefix: '{sluice:3}',
      tag: 'sluice:3',
      shardCount: '{sluice:3}:shards',
      shardChange: '{sluice:3}:shards-change',
      reseal: '{sluice:3}:reseal',
      foldedIndex: '{sluice:3}:folded',
      published: '{sluice:3}:published',
      publishing: '{sluice:3}:publishing',
      doctor: '{sluice:3}:doctor',
      lastDelivery: '{sluice:3}:last-delivery',
      replicas: '{sluice:3}:replicas',
      results: '{sluice:3}:results:ing_1',
      cursors: '{sluice:3}:cursors',
      fenced: '{sluice:3}:fenced',
      turnsWake: '{sluice:3}:turns-wake',
      subscriptions: '{sluice:3}:subscriptions:acc_1',
      mailbox: '{sluice:3}:mailbox:sub_1',
      accountOf: '{sluice:3}:account-of:src_1',
      source: '{sluice:3}:source:src_1',
      seen: '{sluice:3}:seen:1790000000',
      planUse: '{sluice:3}:plan:acc_1:2026-11',
      badSignatures: '{sluice:3}:bad-signatures:::1:7',
      folded: '{sluice:3}:folded:src_1:7',
      limit: '{sluice:3}:limit:key:key_1',
      activity: '{sluice:3}:activity:acc_1:h7',
      clients: '{sluice:3}:clients:key_1:d7',
    });
  });

  it('are the same in Lua scripts', async () => {
    const [a, b] = ['ARGV[2]', 'ARGV[3]'];
    const expressions: Readonly<Record<string, string>> = {
      [keyspace.source('one')]: lua.source(a),
      [keyspace.seen('one')]: lua.seen(a),
      [keyspace.planUse('one', '2')]: lua.planUse(a, b),
      [keyspace.badSignatures('one', 2)]: lua.badSignatures(a, b),
      [keyspace.folded('one', 2)]: lua.folded(a, b),
      [keyspace.foldedIndex]: lua.foldedIndex,
      [`${keyspace.prefix}:unverified:one:2`]: lua.unverified(a, b),
    };
    const redis = new Redis(sharedRedisUrl());
    try {
      const script = `return {${Object.values(expressions).join(', ')}}`;
      expect(await redis.eval(script, 0, keyspace.prefix, 'one', 2)).to.deep.equal(Object.keys(expressions));
    } finally {
      redis.disconnect();
    }
  });

  it('are in the shard of the CRC-32 of their account, because another formula would find no account', () => {
    // The check value of CRC-32/ISO-HDLC.
    expect(shardOf('123456789', 2 ** 32)).to.equal(0xcbf43926);
  });
});
