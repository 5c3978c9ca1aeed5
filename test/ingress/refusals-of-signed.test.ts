import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { useRefusals } from './support/use-refusals.ts';

/** One test for each check of the endpoint, numbered in the order of docs/errors.md. */
describe('ingress: rejections, in the order of the checks', () => {
  const { ingress, source, post, good, expectRefused } = useRefusals();

  it('9. an inactive source is 403, and only with the right secret', async () => {
    await ingress().changeSource(source(), { active: false });
    const { body, headers } = good();
    await expectRefused(await post(headers, body), 'source_inactive', {
      action: 'upsert',
      title: titleIn(body),
    });
    const unsigned = await post({ ...headers, 'x-service-signature': `sha256=${'0'.repeat(64)}` }, body);
    expectProblem(unsigned, 'signature_invalid');
  });

  it('10. a source over its rate is 429 with Retry-After', async () => {
    await ingress().changeSource(source(), { rate_per_second: 1, rate_burst: 1 });
    const first = good();
    expect((await post(first.headers, first.body)).status).to.equal(200);
    const second = good();
    const answer = await post(second.headers, second.body);
    expectProblem(answer, 'rate_limited');
    expect(Number(answer.headers['retry-after'])).to.equal(1);
  });

  it('10. comes before 11: over the rate, even malformed JSON is 429', async () => {
    await ingress().changeSource(source(), { rate_per_second: 1, rate_burst: 1 });
    const first = good();
    await post(first.headers, first.body);
    const { body, headers } = signed({ secret: source().secret, body: 'not JSON' });
    expectProblem(await post(headers, body), 'rate_limited');
  });

  for (const body of [
    '',
    'not JSON',
    '{"action":"upsert"',
    '{"a":1}}',
    '\u0000',
    Buffer.from([0x22, 0xff, 0x22]),
  ]) {
    it(`11. the signed body ${JSON.stringify(body.toString('latin1' as never))} is 400 malformed_json`, async () => {
      const request = signed({ secret: source().secret, body });
      const sent = { method: 'POST', headers: request.headers, body: new Uint8Array(request.body) };
      const answer = await fetch(ingress().url + source().path, sent);
      const text = await answer.text();
      expect(JSON.parse(text)).to.include({ code: 'malformed_json', status: 400 });
    });
  }

  it('11. wrong fields are 400 validation_failed, each with its pointer, and the log shows action and title', async () => {
    const event = { title: 'Yoga', starts_at: '2027-02-30T10:00:00Z', url: 'ftp://x', price: 5 };
    const { body, headers } = signed({ secret: source().secret, body: { action: 'upsert', event } });
    const answer = await post(headers, body);
    await expectRefused(answer, 'validation_failed', { action: 'upsert', title: 'Yoga' });
    const { errors } = JSON.parse(answer.text);
    expect(errors.map((error: { pointer: string }) => error.pointer)).to.deep.equal([
      '/event/starts_at',
      '/event/url',
      '/event/price',
    ]);
    expect(errors[0].detail).to.contain('2026-12-01T18:00:00+01:00');
  });

  it('12. an upsert over the plan is 403 and is not counted; cancel and delete still pass', async () => {
    await ingress().changeSource(source(), { plan: 'free' });
    for (let i = 0; i < 3; i++) {
      const { body, headers } = good();
      expect((await post(headers, body)).status).to.equal(200);
    }
    const fourth = good();
    expectProblem(await post(fourth.headers, fourth.body), 'plan_limit_reached');
    for (const action of ['cancel', 'delete']) {
      const { body, headers } = signed({ secret: source().secret, body: { ...upsertBody(), action } });
      expect((await post(headers, body)).status).to.equal(200);
    }
  });
});

function titleIn(body: Buffer): string {
  return JSON.parse(body.toString()).event.title;
}
