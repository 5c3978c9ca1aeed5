import { UnconfirmedChangeError } from '@sluice/accounts/audit/unconfirmed-change';
import { createApp } from '@sluice/api/app';
import { refuse } from '@sluice/api/http/result';
import { sendRefusal } from '@sluice/api/http/send';
import { createObserver } from '@sluice/api/observe';
import { createTimeBudget, lateRefusal } from '@sluice/api/public/layer/time-budget';
import { PendingLimitError } from '@sluice/leads/change/pending-limit';
import { ContendedError } from '@sluice/leads/contention';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { NotConnectedError } from '@sluice/store/connection/mongo-away';
import { expect } from 'chai';
import type { Response } from 'express';
import supertest from 'supertest';
import { recordingLogger } from '../support/silent-logger.ts';

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });

/** An API server that responds to every request with this error, or with what `send` writes. */
function serverOf(answer: Error | ((response: Response) => Promise<void>)) {
  const { logger, records } = recordingLogger();
  const app = createApp({
    ...createObserver({ logger, metrics: createMetrics({ service: 'api' }) }),
    trustProxy: false,
    dashboardApi: () => undefined,
    otherRoutes: (router) =>
      router.get('/a', async (_request, response) => {
        if (answer instanceof Error) throw answer;
        await answer(response);
      }),
  });
  const lines = () => records.filter(({ event }) => event === 'request.unavailable');
  return { app, lines, level: logger.levels.values.warn, records };
}

describe('api: the log line of a 503', () => {
  for (const [error, reason] of [
    [new NotConnectedError(), 'mongodb_away'],
    [new Error('Command timed out'), 'redis_away'],
    [reply("OOM command not allowed when used memory > 'maxmemory'."), 'redis_full'],
    [reply("NOPERM this user has no permissions to run the 'evalsha' command"), 'redis_unable'],
    [reply("READONLY You can't write against a read only replica."), 'redis_unable'],
    [new ContendedError('an inner message'), 'lead_contended'],
    [new PendingLimitError('an inner message'), 'changes_pending'],
    [new UnconfirmedChangeError('an inner message'), 'change_unconfirmed'],
  ] as const)
    it(`has the reason ${reason} for ${error.name}: ${error.message}`, async () => {
      const { app, lines, level } = serverOf(error);
      const response = await supertest(app).get('/a');
      expect(response.status).to.equal(503);
      expect(response.body).to.not.have.property('reason');
      const [line, ...others] = lines();
      expect(others).to.deep.equal([]);
      expect(line).to.include({ level, reason, unlogged: 0, request_id: response.headers['x-request-id'] });
      expect(JSON.stringify(line)).to.not.contain(error.message);
    });

  it('has the reason of a 503 that is returned, such as a spent time budget', async () => {
    const refusal = () => lateRefusal({ method: 'GET', hasIdempotencyKey: false, hasIfMatch: false });
    const { app, lines } = serverOf(async (response) => {
      const budget = createTimeBudget({ onLateError: () => undefined, refusal, budgetMs: 10 });
      sendRefusal(response, await budget.spend(() => new Promise<never>(() => {})));
    });
    expect((await supertest(app).get('/a')).status).to.equal(503);
    expect(lines().map(({ reason }) => reason)).to.deep.equal(['stores_late']);
  });

  it('is missing for other rejections', async () => {
    const { app, lines } = serverOf(async (response) => sendRefusal(response, refuse('conflict', 'No.')));
    expect((await supertest(app).get('/a')).status).to.equal(409);
    expect(lines()).to.deep.equal([]);
  });
});
