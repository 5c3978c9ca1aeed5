import { refusalOf } from '@sluice/api/http/refusal-of';
import { expect } from 'chai';

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

describe('api: the response to an error of Redis', () => {
  for (const [error, about] of [
    [named('ClusterAllFailedError', 'Failed to refresh slots cache.'), 'Redis is not responding.'],
    [new Error("Cluster isn't ready and enableOfflineQueue options is false"), 'Redis is not responding.'],
    [
      named('ReplyError', 'TRYAGAIN Multiple keys request during rehashing of slot'),
      'Redis is not responding.',
    ],
    [named('ReplyError', "OOM command not allowed when used memory > 'maxmemory'."), 'Redis is full.'],
  ] as const)
    it(`is 503 with Retry-After: ${error.message}`, () => {
      const refusal = refusalOf(error);
      expect(refusal).to.include({ code: 'unavailable' });
      expect(refusal.detail).to.contain(about);
      expect(refusal.retryAfterSeconds).to.be.above(0);
    });

  it('is 500 for an error that a retry cannot pass', () => {
    expect(refusalOf(named('ReplyError', 'WRONGTYPE Operation'))).to.include({ code: 'internal_error' });
  });
});
