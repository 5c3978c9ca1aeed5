import { createBodyRoom } from '@sluice/ingress/receive/body-room';
import { expect } from 'chai';
import { startIngress, type TestIngress, type TestSource } from '../support/ingress.ts';
import { rawHttp } from '../support/raw-http.ts';
import { signed, upsertBody } from '../support/signed.ts';

describe('ingress: slow bodies and bodies in pieces', () => {
  let ingress: TestIngress;
  let source: TestSource;
  before(async () => {
    ingress = await startIngress();
    source = await ingress.addSource();
  });
  after(() => ingress?.close());

  it('are crowded out when they use too much memory together, the oldest first', () => {
    const room = createBodyRoom(100);
    const out: string[] = [];
    const body = (name: string) => ({ crowdOut: () => void out.push(name) });
    const [a, b, c] = [body('a'), body('b'), body('c')];
    room.hold(a, 40);
    room.hold(b, 40);
    room.hold(a, 20);
    expect(out).to.deep.equal([]);
    room.hold(c, 50);
    expect(out).to.deep.equal(['a']);
    room.leave(b);
    room.hold(c, 50);
    expect(out).to.deep.equal(['a']);
  });

  it('are accepted byte by byte: 200,000 chunks of one byte are an ordinary event', async () => {
    const { body, headers } = signed({
      secret: source.secret,
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
      `POST ${source.path} HTTP/1.1\r\nhost: x\r\n${lines}\r\n`,
      chunks,
      '0\r\n\r\n',
    ]);
    expect(answer).to.match(/^HTTP\/1.1 200 /);
    // Processor time in seconds. A copy of all earlier bytes for each chunk took minutes.
    const { user, system } = process.cpuUsage(startedAt);
    expect((user + system) / 1e6).to.be.below(10);
  }).timeout(240_000);
});
