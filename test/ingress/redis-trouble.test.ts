import { expect } from 'chai';
import { Redis } from 'ioredis';
import { startIngress, type TestIngress } from '../support/ingress.ts';
import { type Answer, post, postUpsert } from '../support/post.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { signed } from '../support/signed.ts';
import { timed } from '../support/timed.ts';
import { until } from '../support/until.ts';

/** The longest wait of a sender, whatever Redis does (docs/guarantees.md, 6). Milliseconds. */
const ANSWER_WITHIN = 1500;

describe('ingress: trouble with Redis is 503 with Retry-After within 1.5 seconds', () => {
  let redis: RedisServer;
  let ingress: TestIngress;

  beforeEach(async () => {
    redis = await startRedis({ aof: true });
  });
  afterEach(async () => {
    await ingress?.close();
    await redis?.stop();
  });

  /** Sends all at once. Each must get a 503 in time. */
  async function expectUnavailable(sends: readonly (() => Promise<Answer>)[], retryAfter = '2') {
    const { result: answers, ms } = await timed(() => Promise.all(sends.map((send) => send())));
    expect(ms).to.be.below(ANSWER_WITHIN);
    for (const answer of answers) {
      expect(answer.body).to.include({ code: 'unavailable', status: 503 });
      expect(answer.headers.get('retry-after')).to.equal(retryAfter);
    }
  }

  it('when Redis is killed, and accepts requests again once it is back', async () => {
    ingress = await startIngress({ redisUrl: redis.url });
    const source = await ingress.addSource();
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    await redis.kill();
    await expectUnavailable(Array.from({ length: 20 }, () => () => postUpsert(ingress.url, source)));
    await redis.restart();
    await until(async () => (await postUpsert(ingress.url, source)).status === 200);
  });

  it('when Redis is frozen, for known and unknown sources and for rejections', async () => {
    ingress = await startIngress({ redisUrl: redis.url });
    const source = await ingress.addSource();
    const uncached = await ingress.addSource();
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    redis.freeze();
    const kinds = [source, uncached, { ...source, secret: 'whsec_wrong' }];
    await expectUnavailable(
      Array.from({ length: 30 }, (_, i) => () => postUpsert(ingress.url, kinds[i % 3] as typeof source)),
    );
    // By now the gate has closed: nothing waits any more, not even for the second that a command may take.
    await until(() => ingress.ingress.gate.closed() !== null);
    expect((await timed(() => postUpsert(ingress.url, source))).ms).to.be.below(900);
    redis.thaw();
    await until(async () => (await postUpsert(ingress.url, source)).status === 200);
  });

  it('when Redis rejects the poll, and the log has its error once', async () => {
    ingress = await startIngress({ redisUrl: redis.url });
    const source = await ingress.addSource();
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    const operator = new Redis(redis.url);
    try {
      await operator.acl('SETUSER', 'default', '-info');
      const told = () => ingress.logLines.filter((line) => line.includes('gate.refused'));
      await until(() => told().length > 0);
      await expectUnavailable([() => postUpsert(ingress.url, source)]);
      await operator.acl('SETUSER', 'default', '+info');
      await until(async () => (await postUpsert(ingress.url, source)).status === 200);
      expect(told()).to.have.length(1).and.have.property('0').that.contains('NOPERM');
    } finally {
      operator.disconnect();
    }
  });

  it('with a log line that names the reason of the 503', async () => {
    ingress = await startIngress({ redisUrl: redis.url, config: { BACKLOG_LIMIT: 0 } });
    const source = await ingress.addSource();
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    await until(() => ingress.ingress.gate.backlogFull());
    await expectUnavailable([() => postUpsert(ingress.url, source)], '5');
    await redis.kill();
    await until(() => ingress.ingress.gate.closed() !== null);
    await expectUnavailable([() => postUpsert(ingress.url, source)]);
    const lines = ingress.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const answered = lines.filter(({ status }) => status === 503).map(({ reason }) => reason);
    expect(answered).to.deep.equal(['backlog_full', 'redis_away']);
    const changes = lines.filter(({ event }) => event === 'gate.changed').map(({ closed }) => closed);
    expect(changes).to.include.members(['backlog_full']);
  });

  it('when more groups wait than the limit, and rejections keep their code', async () => {
    ingress = await startIngress({ redisUrl: redis.url, config: { BACKLOG_LIMIT: 3 } });
    const source = await ingress.addSource();
    for (let i = 0; i < 4; i++) expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    await until(() => ingress.ingress.gate.backlogFull());
    await expectUnavailable([() => postUpsert(ingress.url, source)], '5');
    expect((await postUpsert(ingress.url, { ...source, secret: 'whsec_wrong' })).body.code).to.equal(
      'signature_invalid',
    );
    const rows = await ingress.enqueuedRefusals();
    expect(rows.map((row) => row.code)).to.deep.equal(['unavailable', 'signature_invalid']);
    expect(rows[0]?.request?.body, 'a flood of them must not fill the log with bodies').to.equal(null);
  });

  it('for rejections alone while too many of them wait, and the last rows before have no bodies', async () => {
    ingress = await startIngress({ redisUrl: redis.url, config: { BACKLOG_LIMIT: 22 } });
    const source = await ingress.addSource();
    const { gate } = ingress.ingress;
    const reject = async (times: number) => {
      for (let sent = 0; sent < times; sent++)
        expect((await invalid()).body.code).to.equal('validation_failed');
    };
    const invalid = () =>
      post(ingress.url + source.path, signed({ secret: source.secret, body: { action: 'upsert' } }));
    for (const groups of [20, 21, 22, 23]) {
      await reject(groups === 20 ? 20 : 1);
      await until(() => gate.fullness().refusals >= groups / 22);
    }
    await expectUnavailable([invalid]);
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
    const bodies = (await ingress.enqueuedRefusals()).map((row) => row.request?.body ?? null);
    expect(bodies).to.deep.equal([...Array(21).fill('{"action":"upsert"}'), null, null]);
    const lines = ingress.logLines.map((line) => JSON.parse(line));
    expect(lines.map(({ reason }) => reason)).to.include('refusals_backlog');
    const changes = lines.filter(({ event }) => event === 'gate.changed').map(({ closed }) => closed);
    expect(changes).to.include('refusals_backlog');
  });
});

describe('ingress: a Redis that fills up', () => {
  it('gets no writes shortly before it is full: requests get 503, and accepted actions stay readable', async () => {
    const redis = await startRedis({ args: ['--maxmemory', '6mb'] });
    const ingress = await startIngress({ redisUrl: redis.url, config: { RATE_LIMIT_BURST: 1_000_000 } });
    try {
      const source = await ingress.addSource();
      const description = 'x'.repeat(9_000);
      let accepted = 0;
      let last: Answer;
      do {
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => postUpsert(ingress.url, source, { description })),
        );
        accepted += answers.filter((answer) => answer.status === 200).length;
        last = answers.at(-1) as Answer;
      } while (last.status === 200);
      expect(last.body.code).to.equal('unavailable');
      expect((await ingress.enqueuedActions()).length).to.equal(accepted);
    } finally {
      await ingress.close();
      await redis.stop();
    }
  });
});
