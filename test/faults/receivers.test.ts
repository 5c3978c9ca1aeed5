import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import { freePort } from '../support/free-port.ts';
import type { TestSource } from '../support/ingress.ts';
import { postUpsert } from '../support/post.ts';
import { until } from '../support/until.ts';
import { report } from './support/report.ts';
import { selfSigned } from './support/self-signed.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const RETRY_AFTER_S = 600;
/** An attempt lasts 15 s at most. */
const WITHIN_MS = 60_000;

/** How each receiver treats a request, and what the log says about its first attempt. */
const SOCKETS: readonly { name: string; code: string; serve: (socket: Socket) => void }[] = [
  { name: 'resets the connection', code: 'connection_closed', serve: (socket) => socket.resetAndDestroy() },
  { name: 'hangs before the headers', code: 'timeout', serve: () => {} },
  { name: 'hangs after the headers', code: 'delivered', serve: (socket) => socket.write(HEAD) },
  { name: 'sends a body without end', code: 'delivered', serve: sendEndlessly },
];
const STATUSES: readonly { name: string; code: string; status: number; headers?: Record<string, string> }[] =
  [
    { name: 'responds 500', code: 'server_error', status: 500 },
    {
      ...{ name: 'responds 429 with Retry-After', code: 'rate_limited', status: 429 },
      headers: { 'retry-after': String(RETRY_AFTER_S) },
    },
    { name: 'responds 410', code: 'gone', status: 410 },
  ];

describe('receivers that misbehave', function () {
  this.timeout(180_000);
  const pipeline = useOutboundPipeline();
  let source: TestSource;
  const servers: Server[] = [];
  const receivers: Receiver[] = [];
  before(async () => {
    source = await pipeline.addSource({ plan: 'unlimited' });
  });
  after(async () => {
    await Promise.all(receivers.map((one) => one.close()));
    for (const server of servers) server.close();
  });

  async function listen(server: Server): Promise<string> {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  async function receiver(answer?: Receiver['answer']): Promise<Receiver> {
    const one = await startReceiver(answer);
    receivers.push(one);
    return one;
  }
  async function subscribe(target_url: string): Promise<string> {
    const { subscription } = await pipeline.subscribe(source.accountId, { target_url, events: ['*'] });
    return subscription.subscription_id;
  }
  const change = async (title: string, from = source) => {
    const answer = await postUpsert(pipeline.urls[0] as string, from, { title });
    expect(answer.status).to.equal(200);
  };
  const logOf = async (subscription_id: string) =>
    (await pipeline.store.webhookMessages.pageMessages({ subscription_id, limit: 10 }))[0];

  it('delay nobody else, and the log names what happened', async () => {
    const expected = new Map<string, { name: string; code: string }>();
    const add = async (name: string, code: string, url: string) =>
      expected.set(await subscribe(url), { name, code });
    for (const { name, code, serve } of SOCKETS)
      await add(name, code, `http://${await listen(createServer(afterRequest(serve)))}/hook`);
    for (const { name, code, status, headers } of STATUSES) {
      const one = await receiver((_received, response) => response.writeHead(status, headers).end());
      await add(name, code, one.url);
    }
    const inside = await receiver();
    const redirecting = await receiver((_received, response) =>
      response.writeHead(301, { location: inside.url }).end(),
    );
    await add('redirects to a private address', 'redirected', redirecting.url);
    await add('refuses connections', 'connection_refused', `http://127.0.0.1:${await freePort()}/hook`);
    const https = createHttpsServer(selfSigned(), (_request, response) => response.end());
    await add('has a wrong certificate', 'tls', `https://${await listen(https)}/hook`);
    const healthy = await receiver();
    await subscribe(healthy.url);

    const since = performance.now();
    await change('One');
    await until(() => healthy.received.length === 1, { withinMs: WITHIN_MS });
    const healthyMs = performance.now() - since;
    for (const [id, { name, code }] of expected) {
      await until(async () => (await logOf(id)) !== undefined, { withinMs: WITHIN_MS, what: name });
      expect((await logOf(id))?.attempts[0]?.code, name).to.equal(code);
    }
    const idOf = (wanted: string) => [...expected].find(([, { name }]) => name === wanted)?.[0] ?? '';
    const limited = await logOf(idOf('responds 429 with Retry-After'));
    const waitMs = (limited?.next_attempt_at ?? 0) - (limited?.attempts[0]?.at ?? 0);
    expect(waitMs).to.be.at.least((RETRY_AFTER_S - 5) * 1000);
    const left = await pipeline.store.subscriptions.listSubscriptions(source.accountId);
    expect(left.map(({ subscription_id }) => subscription_id)).not.to.include(idOf('responds 410'));
    expect(inside.received).to.have.length(0);
    report(`all named; the healthy one had it after ${Math.round(healthyMs)} ms`, expected.size);
  });

  it('get a message again, with the same id, if a kept connection closes at the moment of its next use', async () => {
    const ids: string[] = [];
    const server = createServer((socket) => {
      let requests = 0;
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk) => {
        const id = /webhook-id: (\S+)/.exec(chunk.toString())?.[1];
        if (id === undefined) return;
        ids.push(id);
        requests += 1;
        if (requests === 1 || ids.length === 3) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        else socket.destroy();
      });
    });
    const other = await pipeline.addSource({ plan: 'unlimited' });
    const body = { target_url: `http://${await listen(server)}/hook`, events: ['*'] };
    const { subscription } = await pipeline.subscribe(other.accountId, body);
    const { subscription_id } = subscription;
    const messages = () => pipeline.store.webhookMessages.pageMessages({ subscription_id, limit: 10 });
    for (const [index, title] of ['First', 'Second'].entries()) {
      await change(title, other);
      await until(async () => (await messages()).length > index);
    }
    expect(new Set(ids).size).to.equal(2);
    expect(ids).to.have.length(3);
    expect(ids[1]).to.equal(ids[2]);
    const codes = (await messages()).map(({ attempts }) => attempts.map(({ code }) => code));
    expect(codes).to.deep.equal([['delivered'], ['delivered']]);
  });
});

/** Serves a connection once its request has begun. */
function afterRequest(serve: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => serve(socket));
  };
}

function sendEndlessly(socket: Socket): void {
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  socket.write(HEAD);
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
    socket.once('drain', more);
  };
  more();
}
