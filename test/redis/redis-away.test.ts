import { once } from 'node:events';
import { isRedisAway, isRedisFull, isRedisUnavailable } from '@sluice/redis/connection/redis-away';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { silentLogger } from '../support/silent-logger.ts';

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

describe('errors of Redis', () => {
  for (const error of [
    named('MaxRetriesPerRequestError', 'Reached the max retries per request limit (which is 1).'),
    new Error('Command timed out'),
    new Error('Connection is closed.'),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    named('ReplyError', 'LOADING Redis is loading the dataset in memory'),
    named('ReplyError', "READONLY You can't write against a read only replica."),
    named('ReplyError', 'CLUSTERDOWN The cluster is down'),
    named('ReplyError', "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."),
    named('ReplyError', 'TRYAGAIN Multiple keys request during rehashing of slot'),
    named('ReplyError', 'MOVED 3999 127.0.0.1:6381'),
    named('ReplyError', 'ASK 3999 127.0.0.1:6381'),
    named('ReplyError', 'BUSY Redis is busy running a script. You can only call SCRIPT KILL.'),
    named('ReplyError', 'NOREPLICAS Not enough good replicas to write.'),
    named('ReplyError', 'MISCONF Errors writing to the AOF file: No space left on device'),
    named('AbortError', 'Command aborted due to connection close'),
    named('ClusterAllFailedError', 'Failed to refresh slots cache.'),
    new Error("Cluster isn't ready and enableOfflineQueue options is false"),
    new Error('Too many Cluster redirections. Last error: ReplyError: TRYAGAIN Multiple keys request'),
  ])
    it(`mean that it is away: ${error.message}`, () => {
      expect(isRedisAway(error)).to.equal(true);
      expect(isRedisFull(error)).to.equal(false);
    });

  for (const message of [
    "OOM command not allowed when used memory > 'maxmemory'.",
    "ERR Error running script: OOM command not allowed when used memory > 'maxmemory'.",
  ])
    it(`mean that it is full: ${message}`, () => {
      const error = named('ReplyError', message);
      expect([isRedisAway(error), isRedisFull(error), isRedisUnavailable(error)]).to.deep.equal([
        false,
        true,
        true,
      ]);
    });

  for (const error of [
    new Error('a bug'),
    named('ReplyError', 'WRONGTYPE Operation'),
    named('ReplyError', 'BUSYGROUP Consumer Group name already exists'),
    named('ReplyError', 'NOSCRIPT No matching script.'),
    named('AbortError', 'This operation was aborted'),
    'Command timed out',
    null,
  ])
    it(`are other errors: ${error instanceof Error ? error.message : String(error)} (${typeof error})`, () => {
      expect(isRedisUnavailable(error)).to.equal(false);
    });

  it('mean that it is away where a Cluster client finds no server', async () => {
    const redis = connectRedis({
      ...{ url: `redis+cluster://127.0.0.1:${await freePort()}`, name: 'test', logger: silentLogger() },
      role: 'request',
    });
    const [emitted] = await once(redis, 'ready').then(
      () => [],
      (error: Error) => [error],
    );
    const rejected = await redis.get('a').catch((error: unknown) => error);
    redis.disconnect();
    expect([emitted, rejected].map(isRedisAway), `${emitted} ${rejected}`).to.deep.equal([true, true]);
  });

  it('mean that it is away where the connection closes within a pipeline', async () => {
    const redis = connectRedis({
      ...{ url: sharedRedisUrl(), name: 'test', role: 'request', logger: silentLogger() },
    });
    await once(redis, 'ready');
    const id = await redis.client('ID');
    const replies = await redis
      .pipeline()
      .ping()
      .call('CLIENT', 'KILL', 'ID', id, 'SKIPME', 'no')
      .ping()
      .exec();
    redis.disconnect();
    const [last] = replies?.at(-1) ?? [];
    expect(isRedisAway(last), String(last)).to.equal(true);
  });
});
