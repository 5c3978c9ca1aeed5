import { setTimeout as sleep } from 'node:timers/promises';
import { PROBLEMS, type ProblemCode } from '@sluice/contract/problem/problem';
import { expect } from 'chai';
import { usePipeline } from '../support/pipeline.ts';
import { type Answer, post, postUpsert } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

/** Guarantee 5: every request is in the delivery log exactly once, accepted or rejected. */
describe('guarantee 5: every request is in the delivery log', function () {
  this.timeout(240_000);
  const pipeline = usePipeline({ workers: 2 });

  const url = () => pipeline.urls[0] as string;

  it('once each, with the status, code and request id of its response', async () => {
    const source = await pipeline.addSource();
    const at = url() + source.path;
    const good = () => signed({ secret: source.secret, body: upsertBody() });
    const now = Math.floor(Date.now() / 1000);
    const without = (name: string) => ({
      ...good(),
      headers: Object.fromEntries(Object.entries(good().headers).filter(([key]) => key !== name)),
    });
    const requests = [
      good(),
      { ...good(), headers: { ...good().headers, 'content-type': 'text/plain' } },
      { ...good(), body: Buffer.alloc(300_000, 0x20) },
      without('x-service-signature'),
      without('x-service-timestamp'),
      signed({ secret: source.secret, body: upsertBody(), timestamp: now - 400 }),
      signed({ secret: 'whsec_wrong', body: upsertBody() }),
      signed({ secret: source.secret, body: 'not JSON' }),
      signed({ secret: source.secret, body: { action: 'upsert', event: { title: 'No start' } } }),
    ];
    const answers: Answer[] = [];
    for (const request of requests) answers.push(await post(at, request));
    const got = await fetch(at);
    answers.push({ status: got.status, headers: got.headers, body: await got.json() });

    const rows = await pipeline.logged(source, answers.length);
    const byRequest = new Map(rows.map((row) => [row.request_id, row]));
    expect(rows).to.have.length(answers.length);
    expect(byRequest).to.have.length(answers.length);
    for (const answer of answers) {
      const row = byRequest.get(answer.headers.get('x-request-id'));
      expect(row).to.include({ http_status: answer.status, code: answer.body.code ?? null, count: 1 });
      expect(row?.outcome).to.equal(answer.status === 200 ? 'created' : 'rejected');
      if (answer.status === 200) expect(row?.delivery_id).to.equal(answer.body.delivery_id);
      else expect(row?.http_status).to.equal(PROBLEMS[answer.body.code as ProblemCode].status);
    }
    const invalid = byRequest.get(answers[8]?.headers.get('x-request-id') as string);
    expect(invalid).to.include({ action: 'upsert', title: 'No start' });
    expect(invalid?.reason).to.contain('/event/starts_at');
    expect(byRequest.get(answers[6]?.headers.get('x-request-id') as string)).to.include({
      action: null,
      title: null,
    });
  });

  it('also if the source is inactive, or over its rate or plan', async () => {
    const inactive = await pipeline.addSource();
    await pipeline.setActive(inactive, false);
    await postUpsert(url(), inactive);
    expect((await pipeline.logged(inactive, 1))[0]).to.include({
      http_status: 403,
      code: 'source_inactive',
      outcome: 'rejected',
    });

    const limited = await pipeline.addSource({ ratePerSecond: 1, rateBurst: 1 });
    for (let i = 0; i < 3; i++) await postUpsert(url(), limited);
    const codes = (await pipeline.logged(limited, 3)).map((row) => row.code);
    expect(codes.sort()).to.deep.equal([null, 'rate_limited', 'rate_limited']);

    const planned = await pipeline.addSource({ plan: 'free' });
    for (let i = 0; i < 7; i++) await postUpsert(url(), planned);
    const rows = await pipeline.logged(planned, 7);
    expect(rows.filter((row) => row.code === 'plan_limit_reached')).to.have.length(2);
  });

  it('a flood of badly signed requests adds 100 rows and one counter row a minute, which count every request', async () => {
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 8_000) await sleep(left + 50);
    const source = await pipeline.addSource();
    const bad = () => postUpsert(url(), { ...source, secret: 'whsec_wrong' });
    for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 25 }, bad));
    const counted = async () => (await pipeline.deliveries(source)).reduce((sum, row) => sum + row.count, 0);
    await until(async () => (await counted()) === 250, { what: 'all 250 are counted' });
    const rows = await pipeline.deliveries(source);
    expect(rows).to.have.length(101);
    const counter = rows.find((row) => row.count > 1);
    expect(counter).to.include({
      count: 150,
      code: 'signature_invalid',
      http_status: 401,
      outcome: 'rejected',
      request_id: null,
    });
  });
});
