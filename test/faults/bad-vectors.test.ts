import { expect } from 'chai';
import { type TestSource, useIngress } from '../support/ingress.ts';
import { postUpsert } from '../support/post.ts';
import { rawHttp } from '../support/raw-http.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { rawRequest } from './support/floods-attack.ts';

type Headers = Readonly<Record<string, string | number>>;

describe('an ingress that gets a hostile request', () => {
  const ingress = useIngress({ config: { BAD_SIGNATURES_PER_MINUTE: 1_000_000 } });
  let source: TestSource;
  before(async () => {
    source = await ingress.addSource();
  });
  afterEach('the ingress has not crashed and still accepts', async () => {
    expect(ingress.logLines.filter((line) => JSON.parse(line).level >= 50)).to.deep.equal([]);
    expect((await postUpsert(ingress.url, source)).status).to.equal(200);
  });

  const send = (headers: Headers, body: Uint8Array | string) =>
    rawRequest(source.path, { 'content-type': 'application/json', connection: 'close', ...headers }, body);
  const sendWhole = (headers: Headers, body: Uint8Array) =>
    send({ ...headers, 'content-length': body.length }, body);
  const changed = (name: string, change: (right: string) => string) => () => {
    const { headers, body } = signed({ secret: source.secret, body: upsertBody() });
    return sendWhole({ ...headers, [name]: change(headers[name] as string) }, body);
  };
  const signedText = (text: string | Uint8Array) => () => {
    const { headers, body } = signed({ secret: source.secret, body: text });
    return sendWhole(headers, body);
  };
  const event = (fields: string) =>
    signedText(`{"action":"upsert","event":{"title":"x","starts_at":"2027-03-01T10:00Z"${fields}}}`);
  const titled = (title: string) =>
    signedText(`{"action":"upsert","event":{"title":${title},"starts_at":"2027-03-01T10:00Z"}}`);
  const inChunks = () => {
    const { headers, body } = signed({ secret: 'whsec_other', body: upsertBody() });
    const chunks = [...body].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
    return send({ ...headers, 'transfer-encoding': 'chunked' }, `${chunks}0\r\n\r\n`);
  };

  const vectors: readonly [string, () => Buffer, number][] = [
    [
      'the right signature twice',
      changed('x-service-signature', (right) => `${right}\r\nx-service-signature: ${right}`),
      401,
    ],
    ['a long signature', changed('x-service-signature', (right) => right.repeat(100)), 401],
    ['a huge timestamp', changed('x-service-timestamp', () => '9'.repeat(5000)), 400],
    ['a forged body in chunks', inChunks, 401],
    ['bad UTF-8', signedText(Buffer.from([...Buffer.from('{"a":"'), 0xff, 0xc0, 0x22, 0x7d])), 400],
    ['a field __proto__', event(',"__proto__":{"url":5,"status":"cancelled"}'), 200],
    ['a text for __proto__', event(',"__proto__":"x","constructor":null'), 200],
    ['fields with $ and dots', event(',"$set":{"a":1},"a.b":2,"$where":"1"'), 200],
    ['an operator for a title', titled('{"$gt":""}'), 400],
    ['a title 10,000 lists deep', titled(`${'['.repeat(10_000)}${']'.repeat(10_000)}`), 400],
    ['lists 10,000 deep that never end', signedText('['.repeat(10_000)), 400],
    ['two lengths', () => send({ 'content-length': '2\r\ncontent-length: 3' }, '{}'), 400],
    ['a length and chunks', () => send({ 'content-length': 2, 'transfer-encoding': 'chunked' }, '{}'), 400],
  ];
  for (const [what, make, status] of vectors)
    it(`responds with ${status} to ${what}`, async () => {
      const answer = await rawHttp(ingress.url, [make()]);
      expect(answer).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    });

  it('stores fields named __proto__, $set or a.b only inside the raw body', async () => {
    const actions = (await ingress.enqueuedActions()).filter(({ action }) => action.identity.title === 'x');
    expect(actions).to.have.length(3);
    for (const { action } of actions) {
      expect(action).to.deep.include({ kind: 'upsert', status: 'upcoming' });
      expect(action).to.have.property('content').that.is.empty;
    }
  });
});
