import { expect } from 'chai';
import request from 'supertest';
import { expectProblem } from '../support/expect-problem.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { useRefusals } from './support/use-refusals.ts';

/** One test for each check of the endpoint, numbered in the order of docs/errors.md. */
describe('ingress: rejections, in the order of the checks', () => {
  const { ingress, source, post, good, expectRefused } = useRefusals();

  for (const method of ['get', 'put', 'patch', 'delete', 'options'] as const) {
    it(`1. ${method.toUpperCase()} on the endpoint is 405 and names POST in Allow`, async () => {
      const answer = await request(ingress().url)[method](source().path);
      await expectRefused(answer, 'method_not_allowed');
      expect(answer.headers.allow).to.equal('POST');
    });
  }

  it('1. HEAD on the endpoint is 405 with no body', async () => {
    const answer = await request(ingress().url).head(source().path);
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

  it('1. a path of the public API is 404 and names its address', async () => {
    expect((await request(ingress().url).get('/api/public/leads')).body).to.include({
      code: 'not_found',
      detail: 'This is the webhook endpoint. The API is at https://sluice.example.com.',
    });
  });

  it('1. a path with wrong percent-encoding is 400, not an error', async () => {
    expectProblem(await post(good().headers, '{}', '/api/v1/events/webhook/%E0%A4%A'), 'bad_request');
  });

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json+x',
    'application/json, text/plain',
    'text/plain, application/json',
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
    ['content-type', 'application/json, application/json'],
    ['content-type', 'application/json,application/json; charset=utf-8'],
    ['content-encoding', 'Identity'],
  ] as const) {
    it(`2. the ${name} ${value} is accepted`, async () => {
      const { body, headers } = good();
      const answer = await post({ ...headers, [name]: value }, body);
      expect(answer.status, answer.text).to.equal(200);
    });
  }

  it('3. a body of 256 KiB and one byte is 413', async () => {
    const { body, headers } = signed({ secret: source().secret, body: 'x'.repeat(256 * 1024 + 1) });
    await expectRefused(await post(headers, body), 'payload_too_large');
  });

  it('3. a body of exactly 256 KiB is read', async () => {
    const event = { ...upsertBody().event, ignored: '' };
    const padding = 256 * 1024 - JSON.stringify({ action: 'upsert', event }).length;
    const { body, headers } = signed({
      secret: source().secret,
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
});
