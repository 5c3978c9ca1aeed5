import { createObserver } from '@sluice/api/observe';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import supertest from 'supertest';
import { useApi } from '../support/use-api.ts';
import { signIn } from './support/sign-in.ts';

interface Line {
  readonly event: string;
  readonly request_id: string;
  readonly status: number;
}

describe('api: the log during a flood', () => {
  const api = useApi({ logLevel: 'info' });

  /** Uses up the 10 lines of this second for requests without a session or key. */
  const flood = () => Promise.all(Array.from({ length: 15 }, () => supertest(api.app).get('/nothing')));
  const logged = () =>
    api.logLines
      .map((text): Line => JSON.parse(text))
      .filter(({ event }) => event === 'request.answered')
      .map(({ request_id, status }) => [request_id, status]);

  it('has a line for each request of a signed-in user, each sign-in and each internal error', async () => {
    await flood();
    const signedIn = await signIn(api.app, { email: api.owner.me.user.email });
    expect(signedIn.status, signedIn.text).to.equal(200);
    const read = await api.owner.call('get', '/sources');
    const { users } = api.store;
    const { findUserByEmail } = users;
    Object.assign(users, { findUserByEmail: () => Promise.reject(new Error('a bug')) });
    const failed = await signIn(api.app, { email: 'a@example.com' });
    Object.assign(users, { findUserByEmail });
    for (const [answer, status] of [
      [signedIn, 200],
      [read, 200],
      [failed, 500],
    ] as const)
      expect(logged()).to.deep.include([answer.headers['x-request-id'], status]);
  });

  /** Logs finished requests of callers, as an API server does. */
  function observed() {
    const lines: { request_id: string; unlogged?: number }[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const { onAnswer } = createObserver({
      logger: createLogger({ service: 'api', level: 'info', destination }),
      metrics: createMetrics({ service: 'api' }),
    });
    const answer = (requestId: string, knownCaller: string | undefined) =>
      onAnswer({
        ...{ requestId, knownCaller, method: 'GET', route: '/sources', status: 200, durationMs: 1 },
        ...{ code: undefined, unavailable: undefined },
      });
    return { lines, answer };
  }

  it('has at most 10 lines a second for requests without a session or key, and counts the rest', async () => {
    const { lines, answer } = observed();
    for (let n = 0; n < 100; n++) answer(`req_${n}`, undefined);
    // Twice as many if a second has ended meanwhile.
    expect(lines).to.have.length.within(10, 20);
    const written = lines.length;
    while (lines.length === written) {
      answer('req_later', undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const unlogged = lines.reduce((sum, line) => sum + (line.unlogged ?? 0), 0);
    expect(written + unlogged).to.be.at.least(100);
  });

  it('has 50 lines a second for an account, which then shares those of unknown callers', () => {
    const { lines, answer } = observed();
    for (let n = 0; n < 1000; n++) answer(`req_${n}`, 'acc_busy');
    answer('req_other', 'acc_other');
    expect(lines).to.have.length.within(61, 121);
    expect(lines.at(-1)).to.include({ request_id: 'req_other' });
  });
});
