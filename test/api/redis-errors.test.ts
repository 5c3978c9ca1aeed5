import { createApp } from '@sluice/api/app';
import { refusalOf } from '@sluice/api/http/refusal-of';
import { createObserver } from '@sluice/api/observe';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import supertest from 'supertest';
import { recordingLogger } from '../support/silent-logger.ts';

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

describe('api: the response to an error of Redis', () => {
  for (const [error, about] of [
    [named('ClusterAllFailedError', 'Failed to refresh slots cache.'), 'Redis is not responding.'],
    [new Error("Cluster isn't ready and enableOfflineQueue options is false"), 'Redis is not responding.'],
    [
      named('ReplyError', 'TRYAGAIN Multiple keys request during rehashing of slot'),
      'Redis cannot execute this now.',
    ],
    [
      named('ReplyError', 'MISCONF Errors writing to the AOF file: No space left on device'),
      'Redis cannot execute this now.',
    ],
    [new Error('Command timed out'), 'Redis is not responding.'],
    [named('ReplyError', "OOM command not allowed when used memory > 'maxmemory'."), 'Redis is full.'],
  ] as const)
    it(`is 503 with Retry-After: ${error.message}`, () => {
      const refusal = refusalOf(error);
      expect(refusal).to.include({ code: 'unavailable' });
      expect(refusal.detail).to.contain(about);
      expect(refusal.retryAfterSeconds).to.be.above(0);
    });

  it('is logged in the words of Redis if it cannot execute a command, at a bounded rate', async () => {
    const { logger, records } = recordingLogger();
    const reason = 'MISCONF Errors writing to the AOF file: No space left on device';
    const app = createApp({
      ...createObserver({ logger, metrics: createMetrics({ service: 'api' }) }),
      trustProxy: false,
      dashboardApi: () => undefined,
      otherRoutes: (router) =>
        router.get('/a', () => {
          throw Object.assign(named('ReplyError', reason), { command: { args: ['a secret'] } });
        }),
    });
    const from = performance.now();
    const responses = await Promise.all(Array.from({ length: 20 }, () => supertest(app).get('/a')));
    const seconds = Math.ceil((performance.now() - from) / 1000) + 1;
    expect(responses.map(({ status }) => status)).to.deep.equal(Array(20).fill(503));
    const lines = records.filter(({ event }) => event === 'redis.unable');
    expect(lines.length).to.be.within(1, seconds);
    expect(lines[0]).to.include({ level: logger.levels.values.error, reason, unlogged: 0 });
    expect(lines[0]?.request_id).to.equal(responses[0]?.headers['x-request-id']);
    expect(JSON.stringify(records)).to.not.contain('a secret');
  });

  it('is 500 for an error that a retry cannot pass', () => {
    expect(refusalOf(named('ReplyError', 'WRONGTYPE Operation'))).to.include({ code: 'internal_error' });
  });
});
