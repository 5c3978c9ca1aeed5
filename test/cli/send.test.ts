import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { signBody } from '@sluice/signature/sign';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { sluice } from './support.ts';

const { vectors } = JSON.parse(
  await readFile(new URL('../signature/signatures.json', import.meta.url), 'utf8'),
) as {
  vectors: readonly {
    name: string;
    secret: string;
    timestamp: string;
    body_base64: string;
    signature: string;
  }[];
};
const SECRET = 'whsec_0278fb5741a6f0f80ed9be81dc4d2ae1cfbd0991';

describe('sluice send', () => {
  let server: Server;
  let url: string;
  let dir: string;
  let secretFile: string;
  let reply: { status: number; headers: Record<string, string>; body: string };
  const received: { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];

  before(async () => {
    server = createServer((request, response) => {
      void buffer(request).then((body) => {
        received.push({
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body,
        });
        response.writeHead(reply.status, reply.headers).end(reply.body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/events/webhook/src_1`;
    dir = await mkdtemp(join(tmpdir(), 'sluice-send-'));
    secretFile = join(dir, 'secret');
    await writeFile(secretFile, SECRET);
  });
  beforeEach(() => {
    received.length = 0;
    reply = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"ok":true,"status":"ok","delivery_id":"dlv_1"}',
    };
  });
  after(async () => {
    server.closeAllConnections();
    server?.close();
    await rm(dir, { recursive: true });
  });

  for (const [status, code] of [
    [200, 0],
    [401, 1],
    [503, 75],
  ]) {
    it(`exits with ${code} for ${status} even if its output is not read`, async () => {
      reply = { status: Number(status), headers: {}, body: '{}' };
      const args = ['send', ...minimal, '--secret-file', secretFile, '--url', url];
      const done = await sluice(args, { unread: true });
      expect(done).to.include({ code, stderr: '' });
    });
  }

  const send = (args: readonly string[], stdin?: string | Uint8Array) =>
    sluice(['send', ...args, '--url', url], stdin === undefined ? {} : { stdin });
  const minimal = ['upsert', '--title', 'Open day', '--starts-at', '2026-12-01T18:00:00+01:00'];

  it('escapes control characters in the response, and in an error that quotes an argument', async () => {
    const hostile = 'x\u001b[2J\u009b2J\u202eexe';
    reply = { status: 400, headers: {}, body: `no\n${hostile}` };
    const shown = 'x\\u001b[2J\\u009b2J\\u202eexe';
    const secret = ['--secret-file', secretFile];
    expect((await send([...minimal, ...secret])).stdout).to.equal(`400 Bad Request\nno\n${shown}\n`);
    expect((await send([...minimal, ...secret, '--json'])).rows).to.deep.equal([
      { status: 400, body: reply.body },
    ]);
    const wrong = await sluice(['send', ...minimal, ...secret, '--url', hostile]);
    expect(wrong.stderr).to.equal(`sluice: --url: ${shown} is not an http or https URL.\n`);
  });

  for (const { name, secret, timestamp, body_base64, signature } of vectors) {
    it(`signs the test vector: ${name}`, async () => {
      await writeFile(join(dir, 'vector-secret'), `${secret}\n`);
      const body = Buffer.from(body_base64, 'base64');
      const done = await send(
        ['--secret-file', join(dir, 'vector-secret'), '--body-file', '-', '--timestamp', timestamp],
        body,
      );
      expect(done.code).to.equal(0);
      expect(received).to.have.length(1);
      expect(received[0]?.headers).to.include({
        'x-service-signature': signature,
        'x-service-timestamp': timestamp,
      });
      expect(received[0]?.body.equals(body)).to.equal(true);
    });
  }

  it('sends every field with a signature over the exact bytes and the current time', async () => {
    const fields = [
      '--ends-at',
      '2026-12-01T20:00:00+01:00',
      '--description',
      'A “look”',
      '--location',
      '渋谷',
      '--event-url',
      'https://example.com/a',
    ];
    const rest = ['--price', '€5', '--recurring', 'weekly', '--status', 'cancelled'];
    const before = Math.floor(Date.now() / 1000);
    await send([...minimal, ...fields, ...rest, '--secret-file', secretFile]);
    const [request] = received;
    expect(request).to.include({ method: 'POST', path: '/api/v1/events/webhook/src_1' });
    expect(JSON.parse(request?.body.toString() ?? '')).to.deep.equal({
      action: 'upsert',
      event: {
        title: 'Open day',
        starts_at: '2026-12-01T18:00:00+01:00',
        ends_at: '2026-12-01T20:00:00+01:00',
        description: 'A “look”',
        location: '渋谷',
        url: 'https://example.com/a',
        price: '€5',
        recurring: 'weekly',
        status: 'cancelled',
      },
    });
    const timestamp = String(request?.headers['x-service-timestamp']);
    expect(Number(timestamp)).to.be.within(before, Math.floor(Date.now() / 1000));
    const signature = signBody({ secret: SECRET, timestamp, body: request?.body ?? Buffer.of() });
    expect(request?.headers).to.include({
      'x-service-signature': signature,
      'content-type': 'application/json',
    });
  });

  for (const action of ['cancel', 'delete']) {
    it(`sends a ${action} with the identity of the event`, async () => {
      await send([action, ...minimal.slice(1), '--location', 'Berlin', '--secret-file', secretFile]);
      const event = { title: 'Open day', starts_at: '2026-12-01T18:00:00+01:00', location: 'Berlin' };
      expect(JSON.parse(received[0]?.body.toString() ?? '')).to.deep.equal({ action, event });
    });
  }

  it('prints status and body', async () => {
    const done = await send([...minimal, '--secret-file', secretFile]);
    expect(done).to.deep.include({ code: 0, stderr: '', stdout: `200 OK\n${reply.body}\n` });
    const json = await send([...minimal, '--secret-file', secretFile, '--json']);
    expect(json.rows).to.deep.equal([{ status: 200, body: JSON.parse(reply.body) }]);
  });

  for (const ending of ['', '\n', '\r\n']) {
    it(`reads the secret from standard input, with ${JSON.stringify(ending)} after it`, async () => {
      await send([...minimal, '--secret-file', '-', '--timestamp', '1790000000'], SECRET + ending);
      const signature = signBody({
        secret: SECRET,
        timestamp: '1790000000',
        body: received[0]?.body ?? Buffer.of(),
      });
      expect(received[0]?.headers['x-service-signature']).to.equal(signature);
    });
  }

  for (const [status, code] of [
    [201, 0],
    [302, 1],
    [400, 1],
    [429, 75],
    [500, 75],
    [502, 75],
    [503, 75],
    [504, 75],
  ] as const) {
    it(`exits with ${code} for a ${status} response, and follows no redirect`, async () => {
      reply = { status, headers: { 'retry-after': '7', location: '/elsewhere' }, body: '' };
      const done = await send([...minimal, '--secret-file', secretFile]);
      expect(done.code).to.equal(code);
      expect(done.stdout).to.match(new RegExp(`^${status} `));
      expect(done.stderr).to.contain('7 s');
      expect(received).to.have.length(1);
    });
  }

  it('exits with 75 without a response', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}/x`;
    const done = await sluice(['send', ...minimal, '--secret-file', secretFile, '--url', nobody]);
    expect(done).to.include({ code: 75, stdout: '' });
    expect(done.stderr).to.contain('ECONNREFUSED').and.not.contain(SECRET);
  });

  it('names the endpoint without the password of its URL if it does not respond', async () => {
    const port = await freePort();
    const nobody = `http://proxy:s3cret@127.0.0.1:${port}/x?token=t0ken`;
    const done = await sluice(['send', ...minimal, '--secret-file', secretFile, '--url', nobody]);
    expect(done.code).to.equal(75);
    expect(done.stderr)
      .to.contain(`http://127.0.0.1:${port}/x:`)
      .and.not.match(/s3cret|t0ken/);
  });

  for (const [what, args, expected] of [
    ['an action that does not exist', ['upsrt', ...minimal.slice(1)], 'upsert, cancel, delete'],
    ['no action', minimal.slice(1), 'Name the action'],
    ['no title', ['upsert', '--starts-at', '2026-12-01T18:00Z'], '--title: Required'],
    [
      'a start that is not a datetime',
      ['upsert', '--title', 'x', '--starts-at', '1 Dec'],
      '--starts-at: "1 Dec"',
    ],
    ['an end before the start', [...minimal, '--ends-at', '2026-11-01T00:00Z'], '--ends-at: Is before'],
    ['a page that is no URL', [...minimal, '--event-url', 'example.com'], '--event-url: Not an http'],
    ['an unknown recurrence', [...minimal, '--recurring', 'hourly'], '--recurring: Not known'],
    ['an unknown option', [...minimal, '--titel', 'x'], 'Did you mean --title?'],
  ] as const) {
    it(`sends nothing with ${what} (2)`, async () => {
      const done = await send([...args, '--secret-file', secretFile]);
      expect(done).to.include({ code: 2, stdout: '' });
      expect(done.stderr).to.contain(expected);
      expect(received).to.deep.equal([]);
    });
  }

  for (const [what, secret, expected] of [
    ['is missing', '/nonexistent', 'ENOENT'],
    ['is empty', '-', 'empty'],
  ] as const) {
    it(`sends nothing when the secret file ${what} (2)`, async () => {
      const done = await send([...minimal, '--secret-file', secret]);
      expect(done).to.include({ code: 2, stdout: '' });
      expect(done.stderr).to.contain(expected);
      expect(received).to.deep.equal([]);
    });
  }

  it('sends nothing with a timestamp that is not a number (2)', async () => {
    const done = await send([...minimal, '--secret-file', secretFile, '--timestamp', 'now']);
    expect(done).to.include({ code: 2, stdout: '' });
  });

  it('sends nothing to a URL other than http or https (2)', async () => {
    const done = await sluice(['send', ...minimal, '--secret-file', secretFile, '--url', 'ftp://x']);
    expect(done).to.include({ code: 2, stdout: '' });
  });
});
