import type { ProblemCode } from '@sluice/contract/problem';
import { expect } from 'chai';
import request, { type Response } from 'supertest';
import { expectProblem } from '../support/expect-problem.ts';
import { startIngress, type TestIngress, type TestSource } from '../support/ingress.ts';
import { signed, upsertBody } from '../support/signed.ts';

/** One test for each row of the table in the design's section "Answers", in its order. */
describe('ingress: rejections, in the order of the checks', () => {
  let ingress: TestIngress;
  let source: TestSource;

  before(async () => {
    ingress = await startIngress();
  });
  beforeEach(async () => {
    source = await ingress.addSource();
  });
  after(() => ingress?.close());

  const post = (
    headers: Record<string, string>,
    body: string | Buffer,
    path = source.path,
  ): Promise<Response> =>
    request(ingress.url)
      .post(path)
      .set(headers)
      .serialize(String)
      .send(body.toString()) as unknown as Promise<Response>;

  const now = () => Math.floor(Date.now() / 1000);
  const good = () => signed({ secret: source.secret, body: upsertBody() });

  /** The rejection must be the response, and once in the jobs for the delivery log. */
  async function expectRefused(
    answer: Response,
    code: ProblemCode,
    logged: { action?: string; title?: string } = {},
  ) {
    expectProblem(answer, code);
    const rows = (await ingress.enqueuedRefusals()).filter((row) => row.source_id === source.sourceId);
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({
      code,
      request_id: answer.headers['x-request-id'],
      account_id: source.accountId,
    });
    expect(rows[0]?.action).to.equal(logged.action ?? null);
    expect(rows[0]?.title).to.equal(logged.title ?? null);
    expect(rows[0]?.reason).to.have.length.above(10);
    expect((await ingress.enqueuedActions()).filter((row) => row.source_id === source.sourceId)).to.be.empty;
  }

  for (const method of ['get', 'put', 'patch', 'delete', 'options'] as const) {
    it(`1. ${method.toUpperCase()} on the endpoint is 405 and names POST in Allow`, async () => {
      const answer = await request(ingress.url)[method](source.path);
      await expectRefused(answer, 'method_not_allowed');
      expect(answer.headers.allow).to.equal('POST');
    });
  }

  it('1. HEAD on the endpoint is 405 with no body', async () => {
    const answer = await request(ingress.url).head(source.path);
    expect(answer.status).to.equal(405);
    expect(answer.text ?? '').to.equal('');
  });

  for (const path of [
    '/',
    '/api/v1/events/webhook',
    '/api/v2/events/webhook/src_1',
    '/api/v1/events/webhook/a/b',
  ]) {
    it(`1. the path ${path} is 404 not_found`, async () => {
      const answer = await post(good().headers, '{}', path);
      expectProblem(answer, 'not_found');
      expect(answer.headers).to.not.have.any.keys('x-powered-by', 'etag');
    });
  }

  it('1. a path with wrong percent-encoding is 400, not an error', async () => {
    expectProblem(await post(good().headers, '{}', '/api/v1/events/webhook/%E0%A4%A'), 'bad_request');
  });

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json+x',
  ]) {
    it(`2. the content type ${type} is 415`, async () => {
      const { body, headers } = good();
      await expectRefused(await post({ ...headers, 'content-type': type }, body), 'unsupported_media_type');
    });
  }

  it('2. a compressed body is 415, and is not unpacked', async () => {
    const { body, headers } = good();
    await expectRefused(
      await post({ ...headers, 'content-encoding': 'gzip' }, body),
      'unsupported_media_type',
    );
  });

  for (const [name, value] of [
    ['content-type', 'Application/JSON; charset=utf-8'],
    ['content-type', 'application/json ;charset=utf-8'],
    ['content-encoding', 'Identity'],
  ] as const) {
    it(`2. the ${name} ${value} is accepted`, async () => {
      const { body, headers } = good();
      const answer = await post({ ...headers, [name]: value }, body);
      expect(answer.status, answer.text).to.equal(200);
    });
  }

  it('3. a body of 256 KiB and one byte is 413', async () => {
    const { body, headers } = signed({ secret: source.secret, body: 'x'.repeat(256 * 1024 + 1) });
    await expectRefused(await post(headers, body), 'payload_too_large');
  });

  it('3. a body of exactly 256 KiB is read', async () => {
    const event = { ...upsertBody().event, ignored: '' };
    const padding = 256 * 1024 - JSON.stringify({ action: 'upsert', event }).length;
    const { body, headers } = signed({
      secret: source.secret,
      body: { action: 'upsert', event: { ...event, ignored: 'x'.repeat(padding) } },
    });
    expect(body.length).to.equal(256 * 1024);
    expect((await post(headers, body)).status).to.equal(200);
  });

  it('4. a source that does not exist is 404 source_not_found', async () => {
    const { body, headers } = good();
    expectProblem(
      await post(headers, body, '/api/v1/events/webhook/src_0000000000000000000000'),
      'source_not_found',
    );
  });

  it('5. a missing signature is 401, even if the timestamp is missing too', async () => {
    await expectRefused(await post({ 'content-type': 'application/json' }, '{}'), 'signature_missing');
  });

  for (const timestamp of ['', 'abc', '1.5', '-5', '1e9', '0x10', ' ']) {
    it(`6. the timestamp "${timestamp}" is 400 timestamp_invalid`, async () => {
      const { body, headers } = good();
      await expectRefused(
        await post({ ...headers, 'x-service-timestamp': timestamp }, body),
        'timestamp_invalid',
      );
    });
  }

  it('6. a missing timestamp is 400 timestamp_invalid', async () => {
    const { body, headers } = good();
    const { 'x-service-timestamp': _, ...rest } = headers;
    await expectRefused(await post(rest, body), 'timestamp_invalid');
  });

  for (const [what, offset] of [
    ['302 seconds old', -302],
    ['302 seconds ahead', 302],
  ] as const) {
    it(`7. a rightly signed timestamp ${what} is 400 timestamp_expired`, async () => {
      const { body, headers } = signed({
        secret: source.secret,
        body: upsertBody(),
        timestamp: now() + offset,
      });
      await expectRefused(await post(headers, body), 'timestamp_expired');
    });
  }

  for (const offset of [-298, 298]) {
    it(`7. a timestamp ${offset} seconds away is accepted`, async () => {
      const { body, headers } = signed({
        secret: source.secret,
        body: upsertBody(),
        timestamp: now() + offset,
      });
      expect((await post(headers, body)).status).to.equal(200);
    });
  }

  it('7. a timestamp in milliseconds is named as such', async () => {
    const { body, headers } = signed({ secret: source.secret, body: upsertBody(), timestamp: Date.now() });
    const answer = await post(headers, body);
    await expectRefused(answer, 'timestamp_expired');
    expect(JSON.parse(answer.text).detail).to.contain('milliseconds');
  });

  const wrongSignatures: [string, (right: string) => string][] = [
    [
      'of another secret',
      () => signed({ secret: 'whsec_other', body: '{}' }).headers['x-service-signature'] as string,
    ],
    ['in upper case', (right) => `sha256=${right.slice(7).toUpperCase()}`],
    ['without its prefix', (right) => right.slice(7)],
    ['one digit short', (right) => right.slice(0, -1)],
    ['one digit long', (right) => `${right}0`],
    ['sent twice', (right) => `${right}, ${right}`],
    ['that is no hex', () => `sha256=${'z'.repeat(64)}`],
  ];
  for (const [what, wrong] of wrongSignatures) {
    it(`8. a signature ${what} is 401 signature_invalid`, async () => {
      const { body, headers } = good();
      const signature = wrong(headers['x-service-signature'] as string);
      await expectRefused(
        await post({ ...headers, 'x-service-signature': signature }, body),
        'signature_invalid',
      );
    });
  }

  it('8. a body changed by one byte is 401 signature_invalid', async () => {
    const { body, headers } = good();
    await expectRefused(await post(headers, `${body} `), 'signature_invalid');
  });

  it('9. an inactive source is 403, and only with the right secret', async () => {
    await ingress.changeSource(source, { active: false });
    const { body, headers } = good();
    await expectRefused(await post(headers, body), 'source_inactive', {
      action: 'upsert',
      title: titleIn(body),
    });
    const unsigned = await post({ ...headers, 'x-service-signature': `sha256=${'0'.repeat(64)}` }, body);
    expectProblem(unsigned, 'signature_invalid');
  });

  it('10. a source over its rate is 429 with Retry-After', async () => {
    await ingress.changeSource(source, { rate_per_second: 1, rate_burst: 1 });
    const first = good();
    expect((await post(first.headers, first.body)).status).to.equal(200);
    const second = good();
    const answer = await post(second.headers, second.body);
    expectProblem(answer, 'rate_limited');
    expect(Number(answer.headers['retry-after'])).to.equal(1);
  });

  it('10. comes before 11: over the rate, even malformed JSON is 429', async () => {
    await ingress.changeSource(source, { rate_per_second: 1, rate_burst: 1 });
    const first = good();
    await post(first.headers, first.body);
    const { body, headers } = signed({ secret: source.secret, body: 'not JSON' });
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
      const { body: bytes, headers } = signed({ secret: source.secret, body });
      const answer = await fetch(ingress.url + source.path, { method: 'POST', headers, body: bytes });
      const text = await answer.text();
      expect(JSON.parse(text)).to.include({ code: 'malformed_json', status: 400 });
    });
  }

  it('11. wrong fields are 400 validation_failed, each with its pointer, and the log shows action and title', async () => {
    const event = { title: 'Yoga', starts_at: '2027-02-30T10:00:00Z', url: 'ftp://x', price: 5 };
    const { body, headers } = signed({ secret: source.secret, body: { action: 'upsert', event } });
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
    await ingress.changeSource(source, { plan: 'free' });
    for (let i = 0; i < 3; i++) {
      const { body, headers } = good();
      expect((await post(headers, body)).status).to.equal(200);
    }
    const fourth = good();
    expectProblem(await post(fourth.headers, fourth.body), 'plan_limit_reached');
    for (const action of ['cancel', 'delete']) {
      const { body, headers } = signed({ secret: source.secret, body: { ...upsertBody(), action } });
      expect((await post(headers, body)).status).to.equal(200);
    }
  });
});

function titleIn(body: Buffer): string {
  return JSON.parse(body.toString()).event.title;
}
