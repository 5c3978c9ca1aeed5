import { expect } from 'chai';
import { useIngress } from '../support/ingress.ts';
import { rawHttp } from '../support/raw-http.ts';

describe('ingress: bodies that are rejected early', () => {
  const ingress = useIngress();
  before(async () => {
    for (const [what, parts] of Object.entries(partsOf())) ended.set(what, open(parts));
  });

  const LARGE = { 'content-type': 'application/json', 'content-length': 100_000_000 };
  const EARLY = {
    'that says it is too large': { 'content-type': 'application/json', 'content-length': 300_000 },
    'in chunks that is no JSON': { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' },
  };
  const head = (headers: Record<string, string | number>) =>
    `POST ${ingress.source.path} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;
  /** The text and the time of each connection. All begin together, because each lasts for the five seconds. */
  const ended = new Map<string, Promise<{ readonly answer: string; readonly ms: number }>>();
  const open = async (parts: (string | Buffer)[]) => {
    const since = performance.now();
    const answer = await rawHttp(ingress.url, parts);
    return { answer, ms: performance.now() - since };
  };
  const partsOf = () => ({
    large: [head(LARGE), Buffer.alloc(1_000_000)],
    ...Object.fromEntries(Object.entries(EARLY).map(([what, headers]) => [what, [head(headers)]])),
  });

  it('rejects a body with a large Content-Length at once', async () => {
    expect((await ended.get('large'))?.answer)
      .to.match(/^HTTP\/1.1 413 /)
      .and.contain('payload_too_large')
      .and.match(/connection: close/i);
  });

  for (const what of Object.keys(EARLY)) {
    it(`responds to a body ${what} at once, and gives its sender five seconds to go on`, async () => {
      const connection = await ended.get(what);
      expect(connection?.answer)
        .to.match(/^HTTP\/1.1 41[35] /)
        .and.match(/connection: close/i);
      // The server's timer may fire a millisecond early.
      expect(connection?.ms).to.be.at.least(4990);
    });
  }
});
