import { IDENTITY_PATH } from '@sluice/contract/api/public-api';
import { expect } from 'chai';
import supertest from 'supertest';
import { newAddress, PASSWORD, type Person, startApi, type TestApi } from '../support/api.ts';

interface Line {
  readonly event: string;
  readonly request_id: string;
  readonly status: number;
  readonly unlogged?: number;
}

/** Log lines per second for unknown callers. */
const PER_SECOND = 10;

describe('api: the log during a flood', () => {
  let api: TestApi;
  let owner: Person;
  before(async () => {
    api = await startApi({ logLevel: 'info' });
    owner = await api.addPerson(await api.addAccount(), 'owner');
  });
  after(() => api?.close());

  const PATHS = ['/api/dashboard/v1/sources', '/nothing', '/docs', '/%', IDENTITY_PATH];
  const flood = async (count: number): Promise<number> => {
    const from = performance.now();
    for (let n = 0; n < count; n += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          i % 5 === 0
            ? supertest(api.app)
                .post('/api/dashboard/v1/session')
                .set('x-forwarded-for', newAddress())
                .send('x')
            : supertest(api.app).get(PATHS[(n + i) % PATHS.length] as string),
        ),
      );
    return Math.ceil((performance.now() - from) / 1000) + 1;
  };
  const linesOf = () =>
    api.logLines.map((text): Line => JSON.parse(text)).filter(({ event }) => event === 'request.answered');

  it('has at most 10 lines a second for requests without a session or key, and counts the rest', async () => {
    api.logLines.length = 0;
    const seconds = await flood(600);
    const lines = linesOf();
    expect(lines.length).to.be.within(1, PER_SECOND * seconds);
    // A line in a later second contains the count.
    let all = lines;
    while (all.length === lines.length) {
      await supertest(api.app).get('/nothing');
      all = linesOf();
    }
    const left = all.reduce((sum, { unlogged = 0 }) => sum + unlogged, 0);
    expect(lines.length + left).to.be.at.least(600);
  });

  it('has a line for each request of a signed-in user', async () => {
    api.logLines.length = 0;
    const [, ids] = await Promise.all([
      flood(200),
      Promise.all(
        Array.from({ length: 40 }, async () => (await owner.call('get', '/sources')).headers['x-request-id']),
      ),
    ]);
    const logged = new Set(linesOf().map(({ request_id }) => request_id));
    for (const id of ids) expect(logged.has(id as string)).to.equal(true);
  });

  it('has the lines of sign-ins and of internal errors', async () => {
    await flood(100);
    api.logLines.length = 0;
    const signIn = await supertest(api.app)
      .post('/api/dashboard/v1/session')
      .set('x-forwarded-for', newAddress())
      .send({ email: owner.me.user.email, password: PASSWORD });
    expect(signIn.status, signIn.text).to.equal(200);
    const { users } = api.store;
    const { findUserByEmail } = users;
    Object.assign(users, { findUserByEmail: () => Promise.reject(new Error('a bug')) });
    const failed = await supertest(api.app)
      .post('/api/dashboard/v1/session')
      .set('x-forwarded-for', newAddress())
      .send({ email: 'a@example.com', password: PASSWORD });
    Object.assign(users, { findUserByEmail });
    expect(failed.status).to.equal(500);
    const logged = linesOf().map(({ request_id, status }) => [request_id, status]);
    expect(logged).to.deep.include([signIn.headers['x-request-id'], 200]);
    expect(logged).to.deep.include([failed.headers['x-request-id'], 500]);
  });
});
