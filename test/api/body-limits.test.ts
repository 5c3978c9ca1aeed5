import { gzipSync } from 'node:zlib';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import supertest from 'supertest';
import { expectProblem } from '../support/expect-problem.ts';
import { useApi } from '../support/use-api.ts';
import { ALL_ROUTES, type RouteName } from './support/route-case.ts';

const KIB = 1024;

/** Routes for batches of imported rows, for a reply, and for a test request with a body of up to 256 KiB. */
const LARGE: readonly RouteName[] = [
  'events.checkImport',
  'events.findUids',
  'events.findGone',
  'events.import',
  'leads.checkImport',
  'leads.import',
  'conversations.reply',
  'sources.testSend',
];
/** Routes for one lead, which may have a long note. */
const LEAD: readonly RouteName[] = ['leads.create', 'leads.change', 'leads.move'];
/** A profile or a mapping may be indented. */
const SENDER: readonly RouteName[] = ['sources.changeSender', 'sources.changeMapping'];

describe('api: body size limits', () => {
  const api = useApi();

  type Sent = { readonly path: string; readonly method: string };
  /** Sends the bytes unchanged: superagent would write a Buffer as JSON. */
  const send = ({ path, method }: Sent, body: string | Buffer, headers: Record<string, string> = {}) =>
    supertest(api.app)
      [method.toLowerCase() as 'post'](path.replace(/:\w+/g, 'some_id'))
      .set({ cookie: api.owner.cookie, 'content-type': 'application/json', ...headers })
      .serialize((bytes) => bytes as unknown as string)
      .send(body);
  const spaces = (bytes: number) => Buffer.from(`${' '.repeat(bytes - 2)}[]`);

  const WRITES = ALL_ROUTES.filter(({ route }) => route.method !== 'GET');

  for (const [limit, names] of [
    [KIB * KIB, LARGE],
    [256 * KIB, LEAD],
    [64 * KIB, SENDER],
  ] as const)
    it(`${names.join(', ')} read a body of up to ${limit / KIB} KiB, and reject a larger one`, async () => {
      for (const { name, route } of WRITES.filter((one) => names.includes(one.name))) {
        const read = await send(route, spaces(limit));
        expect(read.status, `${name}: ${read.text}`).to.equal(400);
        const rejected = await send(route, spaces(limit + 1));
        expectProblem(rejected, 'payload_too_large');
        expect(JSON.parse(rejected.text).detail).to.contain(`${limit / KIB} KiB`);
      }
    });

  it('every other route rejects a body of more than 16 KiB', async () => {
    for (const { name, route } of WRITES.filter(
      (one) => ![...LARGE, ...LEAD, ...SENDER].includes(one.name),
    )) {
      const answer = await send(route, spaces(16 * KIB + 1));
      expect(answer.status, `${name}: ${answer.text}`).to.equal(413);
    }
  });

  it('reads a body of exactly 16 KiB', async () => {
    expectProblem(await send(ROUTES.keys.create, spaces(16 * KIB)), 'validation_failed');
  });

  it('rejects a body of unknown length once it exceeds 16 KiB', async () => {
    const { path } = ROUTES.keys.create;
    const request = supertest(api.app).post(path).set('cookie', api.owner.cookie).type('json');
    request.set('transfer-encoding', 'chunked');
    request.write(spaces(16 * KIB + 1).toString());
    expectProblem(await request, 'payload_too_large');
  });

  it('rejects a compressed body with 415, and asks for an uncompressed one', async () => {
    const packed = gzipSync(JSON.stringify({ name: 'Booking' }));
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'x']) {
      for (const route of [ROUTES.sources.create, ROUTES.session.signIn]) {
        const answer = await send(route, packed, { 'content-encoding': encoding });
        expectProblem(answer, 'unsupported_media_type');
        expect(JSON.parse(answer.text).detail).to.contain('without the header Content-Encoding');
      }
    }
    const plain = await send(ROUTES.sources.create, '{"name":"Plain"}', { 'content-encoding': 'identity' });
    expect(plain.status, plain.text).to.equal(201);
  });

  it('rejects bytes that are not UTF-8', async () => {
    const latin1 = Buffer.from('{"name":"Caf\xe9"}', 'latin1');
    expectProblem(await send(ROUTES.sources.create, latin1), 'malformed_json');
    const marked = await send(ROUTES.sources.create, '\ufeff{"name":"With a byte order mark"}');
    expect(marked.status, marked.text).to.equal(201);
  });
});
