import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { send } from '@sluice/dispatcher/attempt/send';
import { createAddressPolicy, createHttpPolicy } from '@sluice/egress/address-policy';
import { type AgentSettings, createAgent } from '@sluice/egress/agent';
import { expect } from 'chai';

type Dispatcher = ReturnType<typeof createAgent>;

const agents: Dispatcher[] = [];
const closing: (() => Promise<unknown>)[] = [];
function agent(settings: Partial<AgentSettings> = {}): Dispatcher {
  const one = createAgent({ mayConnect: () => true, connectMs: 1000, connectionsPerOrigin: 4, ...settings });
  agents.push(one);
  return one;
}
const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port;

async function listening<T extends Server | ReturnType<typeof createTcpServer>>(server: T): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return server;
}
const receiver = (listener: RequestListener) => listening(createServer(listener));

const post = (by: Dispatcher, url: string, more: { body?: string; leaseMs?: number } = {}) =>
  send(by, {
    url: new URL(url),
    headers: { 'content-type': 'application/json' },
    body: more.body ?? '{}',
    leaseUntil: () => performance.now() + (more.leaseMs ?? 1000),
  });

describe('dispatcher: one request', () => {
  afterEach(async () => {
    await Promise.all(agents.splice(0).map((one) => one.destroy()));
    await Promise.all(closing.splice(0).map((close) => close()));
  });

  it('sends the exact body, and reads status, Retry-After and the start of the response', async () => {
    const bodies: string[] = [];
    const server = await receiver((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        response.writeHead(503, { 'retry-after': '7' }).end('x'.repeat(5000));
      });
    });
    const sent = await post(agent(), `http://127.0.0.1:${portOf(server)}/a?b=c`, {
      body: '{"n":1.0,"t":"ü"}',
    });
    expect(bodies).to.deep.equal(['{"n":1.0,"t":"ü"}']);
    expect(sent).to.deep.include({ kind: 'response', status: 503, retryAfterMs: 7000 });
    expect(sent.kind === 'response' && sent.body.length).to.equal(2048);
  });

  it('says that this process has no room for a connection, which is no fault of the receiver', async () => {
    for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']) {
      const resolve = () => Promise.reject(Object.assign(new Error(`connect ${code}`), { code }));
      const sent = await post(agent({ resolve }), 'http://receiver.test/');
      expect(sent, code).to.deep.equal({ kind: 'error', code: 'no_socket' });
    }
  });

  it('follows no redirect', async () => {
    let asked = 0;
    const inside = await receiver((_request, response) => {
      asked += 1;
      response.end();
    });
    const server = await receiver((_request, response) =>
      response.writeHead(301, { location: `http://127.0.0.1:${portOf(inside)}/` }).end(),
    );
    const sent = await post(agent(), `http://127.0.0.1:${portOf(server)}/`);
    expect(sent).to.include({ status: 301, location: `http://127.0.0.1:${portOf(inside)}/` });
    expect(asked).to.equal(0);
  });

  it('cuts a response without end, and decides by its status', async () => {
    let written = 0;
    const server = await receiver((_request, response) => {
      const more = (): void => {
        if (response.destroyed) return;
        written += 65_536;
        if (response.write('x'.repeat(65_536))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    expect(await post(agent(), `http://127.0.0.1:${portOf(server)}/`)).to.include({
      kind: 'response',
      status: 200,
    });
    expect(written).to.be.below(64 * 1024 * 1024);
  });

  it('sends nothing once its lease has ended, also if the connection took that long', async () => {
    let asked = 0;
    const server = await receiver((_request, response) => {
      asked += 1;
      response.end();
    });
    const url = `http://127.0.0.1:${portOf(server)}/`;
    expect(await post(agent(), url, { leaseMs: -1 })).to.deep.equal({ kind: 'too_late' });
    const slowName = agent({
      resolve: () =>
        new Promise((resolve) => setTimeout(() => resolve([{ address: '127.0.0.1', family: 4 }]), 60)),
    });
    const until = performance.now() + 30;
    const sent = await send(slowName, {
      url: new URL(`http://slow.test:${portOf(server)}/`),
      headers: {},
      body: '{}',
      leaseUntil: () => until,
    });
    expect(sent).to.deep.equal({ kind: 'too_late' });
    expect(asked).to.equal(0);
  });

  for (const [what, answer, code] of [
    ['closes the connection without a response', (socket: Socket) => socket.end(), 'connection_closed'],
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy(), 'connection_closed'],
    [
      'closes the connection behind an interim response',
      (socket: Socket) => socket.end('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'),
      'connection_closed',
    ],
    [
      'sends too many headers',
      (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`),
      'headers_too_long',
    ],
    ['does not speak HTTP', (socket: Socket) => socket.write('hello\r\n'), 'not_http'],
  ] as const) {
    it(`names a receiver that ${what}: ${code}`, async () => {
      const server = await listening(
        createTcpServer((socket) => socket.once('data', () => answer(socket)).on('error', () => {})),
      );
      expect(await post(agent(), `http://127.0.0.1:${portOf(server)}/`)).to.deep.equal({
        kind: 'error',
        code,
      });
    });
  }

  for (const [what, end] of [
    ['breaks off', (socket: Socket) => socket.end()],
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['never ends', () => {}],
  ] as const)
    it(`decides by the status, although the body ${what}`, async () => {
      const server = await listening(
        createTcpServer((socket) =>
          socket
            .once('data', () =>
              socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx', () => end(socket)),
            )
            .on('error', () => {}),
        ),
      );
      const sent = await post(agent(), `http://127.0.0.1:${portOf(server)}/`);
      expect(sent).to.deep.include({ kind: 'response', status: 200 });
    });

  it('ignores interim responses that nobody asked for', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';
    const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
    const server = await listening(
      createTcpServer((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 100 Continue\r\n\r\n');
          setImmediate(() => socket.end(interim + ok));
        });
      }),
    );
    const sent = await post(agent(), `http://127.0.0.1:${portOf(server)}/`);
    expect(sent).to.deep.include({ kind: 'response', status: 200, body: 'ok' });
  });

  it('names a port where nothing listens', async () => {
    const server = await receiver(() => {});
    const port = portOf(server);
    await closing.pop()?.();
    expect(await post(agent(), `http://127.0.0.1:${port}/`)).to.deep.equal({
      kind: 'error',
      code: 'connection_refused',
    });
  });

  it('reaches a private host that an operator has listed by name or network, also with http, and no other one', async () => {
    const server = await receiver((_request, response) => response.end());
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const codeOf = async (host: string, ...allow: string[]) => {
      const rules = { allowPrivate: false, allow };
      const policies = { mayConnect: createAddressPolicy(rules), mayUseHttp: createHttpPolicy(rules) };
      const sent = await post(agent({ ...policies, resolve }), `http://${host}:${portOf(server)}/`);
      return sent.kind === 'response' ? sent.status : sent.kind === 'error' && sent.code;
    };
    expect(await codeOf('n8n.internal.test', 'n8n.internal.test')).to.equal(200);
    expect(await codeOf('n8n.internal.test', '*.internal.test')).to.equal(200);
    expect(await codeOf('n8n.internal.test', '127.0.0.0/8')).to.equal(200);
    expect(await codeOf('127.0.0.1', '127.0.0.1')).to.equal(200);
    expect(await codeOf('n8n.internal.test', 'other.test', '10.0.0.0/8')).to.equal('forbidden_address');
    expect(await codeOf('internal.test', '*.internal.test')).to.equal('forbidden_address');
  });

  it('names a host that does not exist, and one in a forbidden network by name or by number', async () => {
    const mayConnect = (address: string) => address !== '127.0.0.1';
    const resolve = async (name: string) => {
      if (name === 'nowhere.test') throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
      const inside = { address: '127.0.0.1', family: 4 };
      return name === 'half-inside.test' ? [{ address: '127.0.0.2', family: 4 }, inside] : [inside];
    };
    const guarded = agent({ mayConnect, resolve });
    let asked = 0;
    const server = await receiver((_request, response) => {
      asked += 1;
      response.end();
    });
    const codes = [];
    for (const host of ['nowhere.test', 'inside.test', 'half-inside.test', '127.0.0.1'])
      codes.push(await post(guarded, `http://${host}:${portOf(server)}/`));
    expect(codes.map((one) => one.kind === 'error' && one.code)).to.deep.equal([
      'unknown_host',
      ...Array(3).fill('forbidden_address'),
    ]);
    expect(asked).to.equal(0);
  });
});
