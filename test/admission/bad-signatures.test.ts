import { createCountBadSignature } from '@sluice/admission/bad-signatures';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';

describe('admission: bad signatures with several shards', () => {
  it('are too many beyond the limit of each minute, and their keys expire', async () => {
    const redis = new Redis(sharedRedisUrl());
    const keyspace = createKeyspace(uniqueNamespace());
    const count = createCountBadSignature({ redis, keyspace, perMinute: 2 });
    const minute = Date.UTC(2026, 10, 21, 10, 59);
    try {
      for (const tooMany of [false, false, true])
        expect(await count('203.0.113.7', minute + 59_999)).to.equal(tooMany);
      expect(await count('203.0.113.8', minute), 'another address').to.equal(false);
      expect(await count('203.0.113.7', minute + 60_000), 'the next minute').to.equal(false);
      const key = keyspace.badSignatures('203.0.113.7', minute / 60_000);
      expect(await redis.ttl(key)).to.be.within(61, 120);
    } finally {
      redis.disconnect();
    }
  });
});
