import { MAX_HEADER_LINES } from '@sluice/ingress/http/header-lines';
import { readPlainRequest } from '@sluice/ingress/http/plain/read-plain-request';
import { expect } from 'chai';
import fc from 'fast-check';
import { useIngress } from '../support/ingress.ts';
import { rawHttp } from '../support/raw-http.ts';
import { signed, upsertBody } from '../support/signed.ts';

/** Host, content type and length, signature and timestamp. */
const OTHER_LINES = 5;

describe('ingress: a request with many header lines', () => {
  const ingress = useIngress({ config: { RATE_LIMIT_BURST: 100_000 } });

  /** A signed request with `lines` further lines before the signed headers. Each has 6 to 8 bytes. */
  function request(lines: number): Buffer {
    const { headers, body } = signed({ secret: ingress.source.secret, body: upsertBody() });
    const more = Array.from({ length: lines }, (_, index) => `x${index.toString(36)}:`);
    const named = Object.entries({ ...headers, 'content-length': body.length }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const head = [`POST ${ingress.source.path} HTTP/1.1`, 'host: a', ...more, ...named, '', ''].join('\r\n');
    return Buffer.concat([Buffer.from(head), body]);
  }

  const send = (chunks: readonly Buffer[]) =>
    rawHttp(ingress.url, chunks, { until: (answer) => answer.includes('}') });
  const statusOf = (answer: string) => answer.split(' ', 2)[1];
  /** Node reads a request that arrives before the response to another. */
  const readByNode = async (bytes: Buffer) => {
    const first = Buffer.from('HEAD / HTTP/1.1\r\nhost: a\r\n\r\n');
    return (await send([Buffer.concat([first, bytes])])).split('HTTP/1.1 ').at(-1)?.slice(0, 3);
  };

  it('is the same request for both readers, and both reject one line too many', async () => {
    let plain = 0;
    const seen = new Set<string>();
    const some = fc.oneof(fc.nat(1_300), fc.integer({ min: 980, max: 1_010 }));
    await fc.assert(
      fc.asyncProperty(some, async (lines) => {
        const bytes = request(lines);
        if (typeof readPlainRequest(bytes) !== 'string') plain += 1;
        const expected = lines + OTHER_LINES > MAX_HEADER_LINES ? '431' : '200';
        seen.add(expected);
        expect(statusOf(await send([bytes])), `${lines} lines`).to.equal(expected);
        expect(await readByNode(request(lines)), `${lines} lines, read by Node`).to.equal(expected);
      }),
      { numRuns: 40, examples: [0, 1].map((over) => [MAX_HEADER_LINES - OTHER_LINES + over]) },
    );
    expect([...seen]).to.have.members(['200', '431']);
    expect(plain, 'plain ones among them').to.be.above(5);
  });

  it('is rejected with a problem if it has too many', async () => {
    const answer = await send([request(2_000)]);
    expect(statusOf(answer)).to.equal('431');
    expect(answer)
      .to.include('content-type: application/problem+json')
      .and.include('more than 1000 header lines');
    const { status, request_id } = JSON.parse(answer.slice(answer.indexOf('{')));
    expect(status).to.equal(431);
    expect(answer).to.include(`x-request-id: ${request_id}`);
  });
});
