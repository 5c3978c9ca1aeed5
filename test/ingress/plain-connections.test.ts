import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { startIngress, useIngress } from '../support/ingress.ts';
import { rawHttp } from '../support/raw-http.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { chunked, headOf, type Sent, wholeOf } from './support/sent.ts';

const MIB = 1024 ** 2;
const PIECE = Buffer.alloc(MIB / 16, ' ');

describe('ingress: plain requests, and others on the same connections', () => {
  const ingress = useIngress({ config: { INGRESS_HTTP_READER: 'plain' } });
  let readByNode = 0;
  const sockets: Socket[] = [];

  before(async () => {
    ingress.server.on('request', () => {
      readByNode += 1;
    });
  });
  beforeEach(() => {
    readByNode = 0;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const upsert = (event: Record<string, unknown> = {}): Sent => ({
    path: ingress.source.path,
    ...signed({ secret: ingress.source.secret, body: upsertBody(event) }),
  });

  /** A connection of a sender, with all its responses. */
  function open(): { socket: Socket; seen: () => string } {
    const { hostname, port } = new URL(ingress.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    sockets.push(socket.on('error', () => {}));
    let answers = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answers += text;
    });
    return { socket, seen: () => answers };
  }
  const statuses = (text: string): string[] => text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];
  async function answersTo(bytes: readonly (string | Buffer)[], count: number): Promise<string> {
    const { socket, seen } = open();
    for (const chunk of bytes) socket.write(chunk);
    await until(() => statuses(seen()).length >= count && /[}\n]$/.test(seen()));
    return seen();
  }

  it('get responses without Node, one after the other, and the connection stays open', async () => {
    const { socket, seen } = open();
    for (let count = 1; count <= 3; count++) {
      socket.write(wholeOf(upsert()));
      await until(() => statuses(seen()).length === count);
    }
    expect(statuses(seen())).to.deep.equal(['200', '200', '200']);
    expect(seen()).to.match(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=65\r\n\r\n\{/);
    expect(readByNode).to.equal(0);
    expect(socket.readableEnded).to.equal(false);
  });

  it('get responses without Node if the body arrives in a separate packet', async () => {
    const sent = upsert();
    const { socket, seen } = open();
    socket.write(headOf(sent));
    await until(() => openConnections().then((count) => count === 1));
    // Once a later request has a response, the head has been read.
    expect(statuses(await answersTo([wholeOf(upsert())], 1))).to.deep.equal(['200']);
    socket.write(sent.body);
    await until(() => statuses(seen()).length === 1);
    expect(statuses(seen())).to.deep.equal(['200']);
    expect(readByNode).to.equal(0);
  });

  const signedBody = (body: string | object): Sent => ({
    path: ingress.source.path,
    ...signed({ secret: ingress.source.secret, body }),
  });
  const EITHER_WAY: Readonly<Record<string, () => Sent>> = {
    accepted: () => upsert({ description: 'Größe 東京' }),
    '400 malformed_json': () => signedBody('{"action"'),
    '400 validation_failed, with what the sender wrote in it': () =>
      signedBody({ action: 'upsert', event: { title: 'x', starts_at: 'am 東京 Tag' } }),
    '400 timestamp_expired': () => ({
      path: ingress.source.path,
      ...signed({ secret: ingress.source.secret, body: upsertBody(), timestamp: 1_000_000_000 }),
    }),
    '401 signature_missing': () => ({
      path: ingress.source.path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
    }),
    '401 signature_invalid': () => ({
      path: ingress.source.path,
      ...signed({ secret: 'whsec_other', body: upsertBody() }),
    }),
    '404 source_not_found': () => ({ ...upsert(), path: '/api/v1/events/webhook/src_nobody' }),
    '415 unsupported_media_type': () => ({
      path: ingress.source.path,
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('x'),
    }),
  };
  for (const [name, make] of Object.entries(EITHER_WAY))
    it(`get the same response as from Node: ${name}`, async () => {
      const plain = await answersTo([wholeOf(make())], 1);
      expect(readByNode).to.equal(0);
      const byNode = await answersTo([chunked(make())], 1);
      expect(readByNode).to.equal(1);
      expect(withoutWhatDiffers(plain)).to.equal(withoutWhatDiffers(byNode));
    });

  it('get responses in order, with other requests and invalid HTTP behind them', async () => {
    const bytes = Buffer.concat([
      wholeOf(upsert()),
      wholeOf(upsert()),
      chunked(upsert()),
      Buffer.from('GARBAGE\r\n\r\n'),
    ]);
    expect(statuses(await answersTo([bytes], 4))).to.deep.equal(['200', '200', '200', '400']);
  });

  it('get responses in order if the second arrives before the first response', async () => {
    const [first, second] = [wholeOf(upsert()), wholeOf(upsert())];
    const { socket, seen } = open();
    socket.setNoDelay(true).write(first);
    socket.write(second.subarray(0, 20));
    socket.write(second.subarray(20));
    await until(() => statuses(seen()).length === 2);
    expect(statuses(seen())).to.deep.equal(['200', '200']);
  });

  it('can be followed by all of HTTP: HEAD, Expect, chunks, a slow body, an end', async () => {
    const { socket, seen } = open();
    const answered = async (bytes: string | Buffer, status: string) => {
      const before = statuses(seen()).length;
      socket.write(bytes);
      await until(() => statuses(seen()).length > before);
      expect(statuses(seen()).at(-1)).to.equal(status);
    };
    await answered(wholeOf(upsert()), '200');
    await answered(`HEAD ${ingress.source.path} HTTP/1.1\r\nhost: x\r\n\r\n`, '405');
    await answered(chunked(upsert()), '200');
    const expecting = upsert();
    await answered(
      headOf(expecting, `content-length: ${expecting.body.length}\r\nexpect: 100-continue\r\n`),
      '100',
    );
    await answered(expecting.body, '200');
    await answered('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', '404');
    await until(() => socket.readableEnded);
  });

  for (const [when, first] of [
    ['at first', () => []],
    ['after a request', () => [wholeOf(upsert())]],
  ] as const)
    it(`leave the rest of an unread body in its socket after 8 MiB: ${when}`, async () => {
      const accepted = once(ingress.server, 'connection') as Promise<[Socket]>;
      const { socket, seen } = open();
      for (const bytes of first()) socket.write(bytes);
      socket.write(headOf(upsert(), `content-length: ${1e8}\r\n`));
      for (let sent = 0; sent < 16 * MIB; sent += PIECE.length) socket.write(PIECE);
      await once(socket, 'end');
      expect(statuses(seen()).at(-1)).to.equal('413');
      const [{ bytesRead }] = await accepted;
      // The ingress drops 8 MiB, so that a slow sender gets the response (drop-rest.ts).
      expect(bytesRead).to.be.below(9 * MIB);
    });

  const ENDED: Readonly<Record<string, () => readonly Buffer[]>> = {
    'a request': () => [wholeOf(upsert())],
    'a request that Node reads': () => [chunked(upsert())],
    'two at once': () => [wholeOf(upsert()), wholeOf(upsert())],
  };
  for (const [what, make] of Object.entries(ENDED))
    it(`get a response after the sender ends its side behind ${what}`, async () => {
      const { socket, seen } = open();
      const requests = make();
      socket.end(Buffer.concat(requests));
      await once(socket, 'end');
      expect(statuses(seen())).to.deep.equal(requests.map(() => '200'));
    });

  it('get a 400 if the sender ends its side after a head', async () => {
    const { socket, seen } = open();
    socket.end(headOf(upsert()));
    await once(socket, 'end');
    expect(statuses(seen())).to.deep.equal(['400']);
    expect(seen()).to.contain('not valid HTTP');
  });

  it('leave nothing behind if the sender goes', async () => {
    const { socket } = open();
    socket.write(wholeOf(upsert()), () => socket.resetAndDestroy());
    await until(() => openConnections().then((count) => count === 0));
    expect(ingress.logLines.filter((line) => line.includes('"level":50'))).to.be.empty;
  });

  it("find the client's address by the same rule of trusted proxies", async () => {
    const trusting = await startIngress({
      config: { INGRESS_HTTP_READER: 'plain', TRUST_PROXY: 1, BAD_SIGNATURES_PER_MINUTE: 1 },
    });
    try {
      const its = await trusting.addSource();
      const badly = (address: string) => {
        const { headers, body } = signed({ secret: 'whsec_other', body: upsertBody() });
        return wholeOf({
          path: its.path,
          headers: { ...headers, 'x-forwarded-for': `10.9.9.9, ${address}` },
          body,
        });
      };
      const statusFor = async (address: string) =>
        statuses(await rawHttp(trusting.url, [badly(address)], { until: (text) => text.includes('}') }))[0];
      expect(await statusFor('198.51.100.1')).to.equal('401');
      await until(async () => (await statusFor('198.51.100.1')) === '429');
      expect(await statusFor('198.51.100.2')).to.equal('401');
    } finally {
      await trusting.close();
    }
  });

  const openConnections = (): Promise<number> =>
    new Promise((resolve) => ingress.server.getConnections((_, count) => resolve(count)));
});

/** A response without the parts that differ for each request. */
function withoutWhatDiffers(answer: string): string {
  return answer
    .replace(/(req|dlv)_\w+/g, '$1')
    .replace(/Date: [^\r]+/, 'Date')
    .replace(/r=\d+;t=\d+/, 'r;t')
    .replace(/is \d+ seconds old/, 'is old');
}
