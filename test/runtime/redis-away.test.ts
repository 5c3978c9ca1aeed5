import { isRedisAway, isRedisFull, isRedisUnavailable } from '@sluice/runtime/redis/redis-away';
import { expect } from 'chai';

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
    'Command timed out',
    null,
  ])
    it(`are other errors: ${error instanceof Error ? error.message : String(error)} (${typeof error})`, () => {
      expect(isRedisUnavailable(error)).to.equal(false);
    });
});
