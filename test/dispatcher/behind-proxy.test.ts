import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { createDeliver } from '@sluice/dispatcher/attempt/deliver';
import { createLease } from '@sluice/dispatcher/attempt/lease';
import { createOriginSlots } from '@sluice/dispatcher/attempt/origin-slots';
import { send } from '@sluice/dispatcher/attempt/send';
import { createAgent } from '@sluice/egress/agent';
import { tunnels } from '@sluice/egress/proxy-tunnels';
import { expect } from 'chai';
import { subscription } from '../outbound/directory/support/use-directory.ts';

/**
 * The answer of the proxy to a CONNECT. `tunnel`: it connects. `hang`: it waits for the host. `frozen`: it answers nothing at all. A
 * number: it rejects.
 */
type Proxying = 'tunnel' | 'hang' | 'frozen' | number;

describe('dispatcher: behind OUTBOUND_PROXY', () => {
  let proxying: Proxying;
  let asked: string[];
  let received: number;
  let proxy: Server;
  let receiver: ReturnType<typeof createTcpServer>;
  let respond: (socket: Socket) => void;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => void sockets.add(socket.on('error', () => {}));
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  beforeEach(async () => {
    [proxying, asked, received] = ['tunnel', [], 0];
    respond = (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    receiver = createTcpServer((socket) => {
      keep(socket);
      socket.on('data', () => {
        received += 1;
        respond(socket);
      });
    });
    proxy = createServer((_request, response) => {
      if (proxying !== 'frozen') response.writeHead(400).end();
    });
    proxy.on('connection', keep).on('connect', ({ url = '' }, socket: Socket) => {
      asked.push(url);
      if (proxying === 'hang' || proxying === 'frozen') return;
      if (proxying !== 'tunnel') return void socket.end(`HTTP/1.1 ${proxying} No\r\n\r\n`);
      const onward = connect(portOf(receiver), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      keep(onward);
    });
    for (const server of [proxy, receiver])
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    for (const server of [proxy, receiver]) await new Promise((resolve) => server.close(resolve));
  });

  /** The answer to a message to this URL. */
  async function answerOf(
    target_url: string,
    {
      mayConnect = (): boolean => true,
      mayUseHttp = (): boolean => true,
      proxyHost = `127.0.0.1:${portOf(proxy)}`,
    } = {},
  ) {
    const opened = new Map<string, number>();
    const agent = createAgent({
      ...{ mayConnect, mayUseHttp, connectMs: 300, connectionsPerOrigin: 2 },
      proxy: `http://${proxyHost}`,
      onConnect: (origin) => void opened.set(origin, (opened.get(origin) ?? 0) + 1),
    });
    const deliver = createDeliver({
      ...{ agent, slots: createOriginSlots(2), signingKeys: () => [Buffer.alloc(24, 7)] },
      ...{ streams: { append: async () => 'stopped' as const }, readText: async () => undefined },
      openedTo: (origin) => opened.get(origin) ?? 0,
      // Longer than connecting may take, so that an attempt is never ended for another reason.
      ...{ stopping: () => false, now: Date.now, userAgent: 'test', wholeMs: 10_000 },
    });
    const lease = createLease(Number.POSITIVE_INFINITY, async () => ({ status: 'lost' }));
    const ids = {
      number: 1,
      messageId: 'msg_1',
      changeId: 'c1',
      kind: 'lead.created',
      recordId: 'r',
    } as const;
    const once = { attempts: 0, redelivery: false, recovered: false, pushedAt: 0 };
    const entry = { ...ids, ...once, text: '"type":"x"}', readAt: performance.now() };
    try {
      const delivered = await deliver(subscription({ target_url }), entry, lease);
      if (delivered.outcome !== 'attempted') throw new Error(delivered.outcome);
      return delivered.answer;
    } finally {
      await agent.destroy();
    }
  }

  it('delivers through the proxy, which is asked for the name', async () => {
    expect(await answerOf('http://hooks.example.com:8080/')).to.include({ kind: 'response', status: 200 });
    expect(asked).to.deep.equal(['hooks.example.com:8080']);
  });

  it('a host that swallows packets fails to connect, so it counts as a failure', async () => {
    proxying = 'hang';
    const answer = await answerOf('http://hooks.example.com:8080/');
    expect(answer).to.deep.equal({ kind: 'error', code: 'connect_timeout' });
    expect(asked).to.have.length(1);
  });

  it('a proxy at which nothing listens is no failure of the receiver', async () => {
    const proxyHost = `127.0.0.1:${portOf(proxy)}`;
    await new Promise((resolve) => proxy.close(resolve));
    const answer = await answerOf('http://hooks.example.com:8080/', { proxyHost });
    expect(answer).to.deep.equal({ kind: 'error', code: 'no_proxy' });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });

  for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ENODATA'])
    it(`a proxy that cannot be reached (${code}) is no failure of the receiver`, async () => {
      const url = new URL('http://hooks.example.com:8080/');
      const rules = {
        mayConnect: () => true,
        connectMs: 300,
        isProxyAlive: async () => true,
        onProxyResponse: () => undefined,
      };
      const agent = tunnels(rules, url.origin, {
        connect: (_options, callback) => callback(Object.assign(new Error(code), { code }), null),
      });
      const sent = await send(agent, { url, headers: {}, body: '', leaseUntil: () => Infinity });
      expect(sent).to.deep.equal({ kind: 'error', code: 'no_proxy' });
      await agent.destroy();
    });

  it('a proxy that answers nothing is no failure of any receiver', async () => {
    proxying = 'frozen';
    const urls = ['http://one.example.com:8080/', 'http://two.example.com:8080/'];
    const answers = await Promise.all(urls.map((url) => answerOf(url)));
    for (const answer of answers) expect(answer).to.deep.equal({ kind: 'error', code: 'no_proxy' });
  });

  for (const [status, code] of [
    [403, 'proxy_forbids'],
    [405, 'proxy_forbids'],
    [407, 'proxy_rejected'],
    [502, 'proxy_cannot_connect'],
    [503, 'proxy_cannot_connect'],
  ] as const)
    it(`a CONNECT to which the proxy responds ${status} is asked once: ${code}`, async () => {
      proxying = status;
      const answer = await answerOf('http://hooks.example.com:8080/');
      expect(answer).to.deep.equal({ kind: 'error', code });
      expect(asked).to.have.length(1);
    });

  it('a receiver that closes a new connection without a response gets the message once', async () => {
    respond = (socket) => socket.destroy();
    const answer = await answerOf('http://hooks.example.com:8080/');
    expect(answer).to.deep.equal({ kind: 'error', code: 'connection_closed' });
    expect(received).to.equal(1);
  });

  it('a literal address that may not be connected to never reaches the proxy', async () => {
    const answer = await answerOf('http://10.0.0.5:8080/', { mayConnect: () => false });
    expect(answer).to.deep.equal({ kind: 'error', code: 'forbidden_address' });
    expect(asked).to.deep.equal([]);
  });

  it('plain http never reaches the proxy where it is not allowed', async () => {
    const answer = await answerOf('http://hooks.example.com:8080/', { mayUseHttp: () => false });
    expect(answer).to.deep.equal({ kind: 'error', code: 'plain_http' });
    expect(asked).to.deep.equal([]);
  });
});
