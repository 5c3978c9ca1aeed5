import { expect } from 'chai';
import { useIngress } from '../support/ingress.ts';
import { rawHttp } from '../support/raw-http.ts';
import { signed, upsertBody } from '../support/signed.ts';

describe('ingress: slow bodies and bodies in pieces', () => {
  const ingress = useIngress();

  it('are accepted byte by byte: 200,000 chunks of one byte are an ordinary event', async () => {
    const { body, headers } = signed({
      secret: ingress.source.secret,
      body: { ...upsertBody(), unknown: 'x'.repeat(200_000) },
    });
    const lines = Object.entries({ ...headers, 'transfer-encoding': 'chunked', connection: 'close' })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const chunks = Buffer.from(
      Array.from(body.toString('latin1'), (byte) => `1\r\n${byte}\r\n`).join(''),
      'latin1',
    );
    const startedAt = process.cpuUsage();
    const answer = await rawHttp(ingress.url, [
      `POST ${ingress.source.path} HTTP/1.1\r\nhost: x\r\n${lines}\r\n`,
      chunks,
      '0\r\n\r\n',
    ]);
    expect(answer).to.match(/^HTTP\/1.1 200 /);
    // Processor time in seconds. A copy of all earlier bytes for each chunk took minutes.
    const { user, system } = process.cpuUsage(startedAt);
    expect((user + system) / 1e6).to.be.below(10);
  }).timeout(240_000);
});
