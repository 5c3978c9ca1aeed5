import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { startIngress, type TestIngress, type TestSource } from '../support/ingress.ts';
import { postUpsert } from '../support/post.ts';
import { rawHttp } from '../support/raw-http.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { rawRequest } from './support/floods-attack.ts';
import { report } from './support/report.ts';

const KIB = 1024;
const LIMIT = 256 * KIB;
/** A sender writes pieces of this size. */
const PIECE = 64 * KIB;
/** The ingress reads and drops this much, so that the response reaches senders that read it only after their body. */
const DROPPED = 8 * KIB * KIB;
/**
 * Node reads 64 KiB at a time. Four reads may pass the limit: the one that exceeds it, the one that ends the dropping,
 * and those buffered by a paused request and its socket.
 */
const FOUR_READS = 4 * 64 * KIB;
const ABORTS = sized({ short: 50, long: 2000 });

describe('faults: single bad requests', () => {
  let ingress: TestIngress;
  let source: TestSource;
  const connections = new Set<Socket>();
  before(async () => {
    ingress = await startIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 1_000_000 } });
    source = await ingress.addSource();
    ingress.server.on('connection', (socket) => connections.add(socket));
  });
  afterEach('the ingress has not crashed and still accepts', async () => {
    connections.clear();
    expect(ingress.logLines.filter((line) => JSON.parse(line).level >= 50)).to.deep.equal([]);
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
  });
  after(() => ingress?.close());

  type Headers = Readonly<Record<string, string | number>>;
  const good = () => signed({ secret: source.secret, body: upsertBody() });
  const send = (headers: Headers, body: Uint8Array | string) =>
    rawRequest(source.path, { 'content-type': 'application/json', connection: 'close', ...headers }, body);
  const sendWhole = (headers: Headers, body: Uint8Array) =>
    send({ ...headers, 'content-length': body.length }, body);

  const changed = (name: string, change: (right: string) => string) => () => {
    const { headers, body } = good();
    return sendWhole({ ...headers, [name]: change(headers[name] as string) }, body);
  };
  const signature = (change: (right: string) => string) => changed('x-service-signature', change);
  const timestamp = (change: (right: string) => string) => changed('x-service-timestamp', change);
  const signedText = (text: string | Uint8Array) => () => {
    const { headers, body } = signed({ secret: source.secret, body: text });
    return sendWhole(headers, body);
  };
  const event = (fields: string) =>
    signedText(`{"action":"upsert","event":{"title":"x","starts_at":"2027-03-01T10:00Z"${fields}}}`);
  const deep = (open: string, close: string) => `${open.repeat(10_000)}${close.repeat(10_000)}`;
  const inChunks = (secret: () => string) => () => {
    const { headers, body } = signed({ secret: secret(), body: upsertBody() });
    const chunks = [...body].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
    return send({ ...headers, 'transfer-encoding': 'chunked' }, `${chunks}0\r\n\r\n`);
  };

  const vectors: readonly [string, () => Buffer, number][] = [
    ['no signature', () => sendWhole({}, good().body), 401],
    ['a short signature', signature((right) => right.slice(0, 20)), 401],
    ['a long signature', signature((right) => right.repeat(100)), 401],
    ['the right signature twice', signature((right) => `${right}\r\nx-service-signature: ${right}`), 401],
    ['an old timestamp', timestamp((right) => `${Number(right) - 400}`), 400],
    ['a new timestamp', timestamp((right) => `${Number(right) + 400}`), 400],
    ['a huge timestamp', timestamp(() => '9'.repeat(5000)), 400],
    [
      'a body declared as gzip',
      () => sendWhole({ ...good().headers, 'content-encoding': 'gzip' }, good().body),
      415,
    ],
    ['a forged body in chunks', inChunks(() => 'whsec_other'), 401],
    ['a signed body in chunks', inChunks(() => source.secret), 200],
    ['bad UTF-8', signedText(Buffer.from([...Buffer.from('{"a":"'), 0xff, 0xc0, 0x22, 0x7d])), 400],
    ['a field __proto__', event(',"__proto__":{"url":5,"status":"cancelled"}'), 200],
    ['a text for __proto__', event(',"__proto__":"x","constructor":null'), 200],
    ['fields with $ and dots', event(',"$set":{"a":1},"a.b":2,"$where":"1"'), 200],
    [
      'an operator for a title',
      signedText('{"action":"upsert","event":{"title":{"$gt":""},"starts_at":"x"}}'),
      400,
    ],
    ['a title 10,000 lists deep', signedText(`{"action":"upsert","event":{"title":${deep('[', ']')}}}`), 400],
    ['objects 10,000 deep', signedText(deep('{"a":', '}').replace(':}', ':1}')), 400],
    ['lists 10,000 deep that never end', signedText('['.repeat(10_000)), 400],
    ['100 MB announced', () => send({ ...good().headers, 'content-length': 1e8 }, Buffer.alloc(KIB)), 413],
    ['two lengths', () => send({ 'content-length': '2\r\ncontent-length: 3' }, '{}'), 400],
    ['a length and chunks', () => send({ 'content-length': 2, 'transfer-encoding': 'chunked' }, '{}'), 400],
  ];
  for (const [what, make, status] of vectors) {
    it(`${what}: ${status}`, async () => {
      const answer = await rawHttp(ingress.url, [make()]);
      expect(answer).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    });
  }

  it('stores fields named __proto__, $set or a.b only inside the raw body', async () => {
    const actions = (await ingress.enqueuedActions()).filter(({ action }) => action.identity.title === 'x');
    expect(actions).to.have.length(3);
    for (const { action } of actions) {
      expect(action).to.deep.include({ kind: 'upsert', status: 'upcoming' });
      expect(action).to.have.property('content').that.is.empty;
    }
  });

  it('rejects the secret from before a rotation: 401', async () => {
    const rotating = await ingress.addSource();
    expect((await postUpsert(ingress.url, rotating)).status).to.equal(200);
    await ingress.changeSource(rotating, { secret: 'whsec_new' });
    expect((await postUpsert(ingress.url, rotating)).status).to.equal(401);
  });

  for (const [what, headers] of [
    ['announced', { 'content-length': 1e8 }],
    ['in one endless chunk', { 'transfer-encoding': 'chunked' }],
  ] as const) {
    it(`cuts off 100 MB ${what} once 8 MiB are dropped`, async () => {
      const beginning = send(
        { ...good().headers, ...headers },
        'content-length' in headers ? '' : '5f5e100\r\n',
      );
      const piece = Buffer.alloc(PIECE, 0x20);
      const answer = await rawHttp(ingress.url, [beginning, ...Array.from({ length: 1600 }, () => piece)]);
      const [connection] = [...connections].sort((a, b) => b.bytesRead - a.bytesRead);
      const read = connection?.bytesRead as number;
      const allowed = ('content-length' in headers ? 0 : LIMIT) + DROPPED + FOUR_READS + beginning.length;
      report({
        test: 'oversized bodies',
        done: `100 MB ${what}`,
        times: 1,
        asked: `413; at most ${allowed} bytes read`,
        seen: `${answer.slice(9, 12)}; ${read} bytes read`,
      });
      expect(answer).to.match(/^HTTP\/1\.1 413 /);
      expect(read).to.be.at.most(allowed);
      // With a larger buffer, reads that do not fill it would sometimes add to those.
      expect(connection?.readableHighWaterMark, 'what a paused request buffers').to.be.at.most(PIECE / 4);
    });
  }

  it(`${ABORTS} senders that disconnect in the middle of a body leave nothing behind`, async () => {
    const { headers, body } = good();
    const before = (await ingress.enqueuedActions()).length;
    for (let i = 0; i < ABORTS; i++) {
      const bytes = sendWhole(headers, body);
      const socket = connect(Number(new URL(ingress.url).port), '127.0.0.1');
      await once(socket, 'connect');
      await new Promise((resolve) => socket.write(bytes.subarray(0, -1 - (i % body.length)), resolve));
      socket.destroy();
    }
    const forgotten = () =>
      connections.size === ABORTS && [...connections].every(({ destroyed }) => destroyed);
    await until(forgotten, { what: 'all their connections have ended' });
    expect((await ingress.enqueuedActions()).length).to.equal(before);
  });
});
