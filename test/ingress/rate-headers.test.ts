import { expect } from 'chai';
import request from 'supertest';
import { useIngress } from '../support/ingress.ts';
import { signed, upsertBody } from '../support/signed.ts';

describe('ingress: the remaining rate', () => {
  const ingress = useIngress();

  const post = (headers: Record<string, string>, body: string | Buffer) =>
    request(ingress.url).post(ingress.source.path).set(headers).serialize(String).send(body.toString());

  it('is in RateLimit and RateLimit-Policy of responses to signed requests only', async () => {
    const accepted = signed({ secret: ingress.source.secret, body: upsertBody() });
    const answers = [await post(accepted.headers, accepted.body)];
    const malformed = signed({ secret: ingress.source.secret, body: '[]' });
    answers.push(await post(malformed.headers, malformed.body));
    for (const [i, answer] of answers.entries()) {
      expect(answer.headers['ratelimit-policy']).to.equal('"source";q=1000;w=10');
      const [, remaining] = /^"source";r=(\d+);t=\d+$/.exec(String(answer.headers.ratelimit)) ?? [];
      // A hundred are free again every second, so the previous one may be free on a slow machine.
      expect(Number(remaining)).to.be.within(999 - i, 999);
    }
    const unsigned = await post({ 'content-type': 'application/json' }, '{}');
    expect(unsigned.headers).to.not.have.any.keys('ratelimit', 'ratelimit-policy');
  });

  it("is that of the source's separate rate, in whole seconds that are long enough", async () => {
    const slow = await ingress.addSource({ rate_per_second: 0.3, rate_burst: 10 });
    const { headers, body } = signed({ secret: slow.secret, body: upsertBody() });
    const answer = await request(ingress.url).post(slow.path).set(headers).send(body.toString());
    expect(answer.headers['ratelimit-policy']).to.equal('"source";q=10;w=34');
    expect(answer.headers.ratelimit).to.equal('"source";r=9;t=4');
  });
});
