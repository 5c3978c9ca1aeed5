import { type Answer, judge, readRetryAfter } from '@sluice/dispatcher/judge/judge-response';
import { WAITS_MS, waitAfter } from '@sluice/dispatcher/judge/schedule';
import { expect } from 'chai';

const response = (status: number, more: Partial<Answer & { kind: 'response' }> = {}): Answer => ({
  kind: 'response',
  status,
  retryAfterMs: null,
  location: null,
  body: '',
  ...more,
});

describe('dispatcher: what a response means', () => {
  for (const [status, code, next] of [
    [200, 'delivered', 'done'],
    [204, 'delivered', 'done'],
    [299, 'delivered', 'done'],
    [301, 'redirected', 'retry'],
    [400, 'rejected', 'retry'],
    [401, 'signature_rejected', 'retry'],
    [403, 'signature_rejected', 'retry'],
    [404, 'not_found', 'retry'],
    [410, 'gone', 'remove'],
    [422, 'rejected', 'retry'],
    [429, 'rate_limited', 'retry'],
    [500, 'server_error', 'retry'],
    [503, 'unavailable', 'retry'],
  ] as const) {
    it(`${status}: ${code}, ${next}`, () => {
      expect(judge(response(status))).to.include({ code, next });
    });
  }

  it('names the host of a redirect, and not its path, which may be a secret', () => {
    const { sentence } = judge(response(302, { location: 'https://other.example/hidden?key=1' }));
    expect(sentence).to.contain('to other.example').and.not.to.contain('hidden');
  });

  it('holds the subscription for as long as 429 and 503 ask, at most a day', () => {
    expect(judge(response(429, { retryAfterMs: 5000 })).holdMs).to.equal(5000);
    expect(judge(response(503, { retryAfterMs: 10 ** 12 })).holdMs).to.equal(86_400_000);
    expect(judge(response(500, { retryAfterMs: 5000 }))).not.to.have.property('holdMs');
  });

  it('reads Retry-After as seconds, rounded up, or as a date of HTTP, and ignores everything else', () => {
    const now = Date.parse('2027-01-01T00:00:00Z');
    expect(readRetryAfter('120', now)).to.equal(120_000);
    expect(readRetryAfter('Fri, 01 Jan 2027 00:01:00 GMT', now)).to.equal(60_000);
    expect(readRetryAfter('Fri, 01 Jan 2021 00:01:00 GMT', now)).to.equal(0);
    expect(readRetryAfter('Friday, 01-Jan-27 00:01:00 GMT', now)).to.equal(60_000);
    expect(readRetryAfter('Fri Jan  1 00:01:00 2027', now)).to.equal(60_000);
    expect(readRetryAfter('40.5', now)).to.equal(41_000);
    expect(readRetryAfter('0.5', now)).to.equal(1000);
    for (const text of [
      '',
      'soon',
      '-1',
      '45,3',
      '1e9',
      '2040-05-01',
      'May 2040',
      'Fri, 99 Foo 2027 00:01:00 GMT',
    ])
      expect(readRetryAfter(text, now), text).to.equal(null);
    expect(readRetryAfter(null, now)).to.equal(null);
  });

  it('tells an admin what to do about each error of the network', () => {
    for (const code of [
      'no_connection',
      'no_secret',
      'no_socket',
      'no_proxy',
      'proxy_rejected',
      'proxy_forbids',
      'proxy_cannot_connect',
      'no_name_server',
      'too_old',
      'plain_http',
      'connect_timeout',
      'timeout',
      'unknown_host',
      'forbidden_address',
      'tls',
      'connection_refused',
      'connection_closed',
      'headers_too_long',
      'not_http',
    ] as const)
      expect(judge({ kind: 'error', code }).sentence, code).to.match(/^[A-Z].{20,}\.$/);
  });

  it('names the variable that allows private hosts and http', () => {
    for (const code of ['forbidden_address', 'plain_http'] as const)
      expect(judge({ kind: 'error', code }).sentence, code).to.contain('OUTBOUND_ALLOW');
  });
});

describe('dispatcher: waits between attempts', () => {
  it('tries eleven times in 76 hours, and each wait differs by at most a tenth', () => {
    const total = WAITS_MS.reduce((sum, ms) => sum + ms, 0);
    expect(total / 3_600_000).to.be.closeTo(76, 0.7);
    for (const [index, planned] of WAITS_MS.entries()) {
      expect(waitAfter(index + 1, 0)).to.equal(Math.round(planned * 0.9));
      expect(waitAfter(index + 1, 0.5)).to.equal(planned);
      expect(waitAfter(index + 1, 0.999)).to.be.at.most(planned * 1.1);
    }
    expect(waitAfter(11, 0.5)).to.equal(null);
  });
});
