import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { MAX_PIPELINED, MAX_UNANSWERED } from '@sluice/runtime/http/bounded-pipelines';
import { createTimedServer } from '@sluice/runtime/http/http-server';
import { rememberLastResponse } from '@sluice/runtime/http/last-response';
import { expect } from 'chai';
import fc from 'fast-check';
import { until } from '../support/until.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const gets = (count: number) => Array.from({ length: count }, (_, i) => get(`/${i}`)).join('');
/** A connection may exceed a limit by the requests of one slice of 512 bytes. */
const A_SLICE = Math.ceil(512 / get('/').length);

interface Exchange {
  readonly path: string;
  readonly response: ServerResponse;
}

describe('an HTTP server bounds pipelined requests', () => {
  let server: Server;
  let begun: Exchange[];
  const sockets: Socket[] = [];

  async function serve(listener: RequestListener): Promise<void> {
    server = createTimedServer(listener);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
  async function serveHolding(): Promise<void> {
    await serve(({ url }, response) => void begun.push({ path: url as string, response }));
  }
  async function open(): Promise<Socket> {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    socket.on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }
  /** Counts the responses that a socket has received. */
  function counting(socket: Socket): () => number {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    return () => text.split('HTTP/1.1 200 ').length - 1;
  }

  beforeEach(() => {
    begun = [];
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  it(`begins ${MAX_UNANSWERED} requests of one connection at a time, leaves the rest unread, and answers all in order`, async () => {
    await serveHolding();
    const client = await open();
    const answered = counting(client);
    const count = 3000;
    client.write(gets(count));
    let most = 0;
    for (let next = 0; next < count; ) {
      await until(async () => begun.length > next);
      // A later request on another connection shows that everything readable has been read.
      if (next === 0) await anotherIsBegun();
      most = Math.max(most, begun.length - next);
      const { path, response } = begun[next] as Exchange;
      if (path !== '/other') expect(path).to.equal(`/${next === 0 ? 0 : next - 1}`);
      response.end();
      next += 1;
    }
    await until(async () => answered() >= count - 1);
    expect(most).to.be.within(MAX_UNANSWERED, MAX_UNANSWERED + A_SLICE + 1);
  });

  async function anotherIsBegun(): Promise<void> {
    const client = await open();
    client.write(get('/other'));
    await until(async () => begun.length >= MAX_UNANSWERED && begun.some(({ path }) => path === '/other'));
    const at = begun.findIndex(({ path }) => path === '/other');
    begun.splice(1, 0, ...begun.splice(at, 1));
  }

  it(`begins ${MAX_PIPELINED} requests of all connections together, and always the first request of each`, async () => {
    await serveHolding();
    const connections = 100;
    for (let i = 0; i < connections; i++) (await open()).write(gets(1000));
    await until(async () => begun.length >= MAX_PIPELINED);
    const honest = await open();
    const answered = counting(honest);
    honest.write(get('/honest'));
    await until(async () => begun.some(({ path }) => path === '/honest'));
    expect(begun.length).to.be.below(MAX_PIPELINED + connections * (A_SLICE + 1));
    begun.find(({ path }) => path === '/honest')?.response.end();
    await until(async () => answered() === 1);
  });

  it('continues with a waiting connection once the others are closed', async () => {
    await serveHolding();
    const first = await Promise.all(Array.from({ length: 30 }, open));
    for (const socket of first) socket.write(gets(200));
    await until(async () => begun.length >= MAX_PIPELINED);
    const last = await open();
    const answered = counting(last);
    last.write(gets(200));
    await until(async () => begun.length > MAX_PIPELINED);
    for (const socket of first) socket.destroy();
    let next = 0;
    await until(async () => {
      for (; next < begun.length; next++) begun[next]?.response.end();
      return answered() === 200;
    });
  });

  it('answers other connections while one floods the server', async () => {
    let answeredOfFlood = 0;
    await serve(({ url }, response) => {
      if (url !== '/honest') answeredOfFlood += 1;
      response.end();
    });
    const flooding = await open();
    const honest = await open();
    const responses = counting(honest);
    flooding.resume();
    flooding.write(gets(50_000));
    await until(async () => answeredOfFlood > 0);
    const before = answeredOfFlood;
    honest.write(get('/honest'));
    await until(async () => responses() === 1);
    expect(answeredOfFlood - before).to.be.below(2000);
  });

  it('begins no further request for a client that reads no response', async () => {
    let asked = 0;
    await serve((_request, response) => {
      asked += 1;
      response.end('x'.repeat(100_000));
    });
    const client = await open();
    client.pause().write(gets(5000));
    await until(async () => asked > 1);
    const other = await open();
    const responses = counting(other);
    for (let i = 1; i <= 5; i++) {
      other.write(get('/'));
      await until(async () => responses() === i);
    }
    expect(asked - 5).to.be.below(MAX_UNANSWERED + A_SLICE + 1);
  });

  it('begins no request behind the last response of its connection', async () => {
    await serve((request, response) => {
      begun.push({ path: request.url as string, response });
      if (request.url !== '/1') return void response.end();
      rememberLastResponse(request.socket);
      response.setHeader('connection', 'close').end();
    });
    const client = await open();
    const answered = counting(client);
    client.write(gets(500));
    await once(client, 'close');
    expect(begun.map(({ path }) => path)).to.deep.equal(['/0', '/1']);
    expect(answered()).to.equal(2);
  });

  it('delivers each body unchanged, for any split of the bytes', async () => {
    const heard: Buffer[] = [];
    const collect = async (request: IncomingMessage, response: ServerResponse) => {
      const parts: Buffer[] = [];
      for await (const part of request) {
        parts.push(part);
        // A slow listener: Node pauses the socket in the middle of a body.
        if (parts.length % 3 === 0) await new Promise(setImmediate);
      }
      heard.push(Buffer.concat(parts));
      response.end();
    };
    await serve((request, response) => void collect(request, response));
    const lengths = fc.oneof(fc.nat(40), fc.nat(2000), fc.nat(100_000));
    const pieces = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(lengths, { minLength: 1, maxLength: 30 }), pieces, async (sizes, cuts) => {
        heard.length = 0;
        const bodies = sizes.map((size, i) => Buffer.alloc(size, 97 + (i % 26)));
        const client = await open();
        const answered = counting(client);
        const bytes = Buffer.concat(
          bodies.flatMap((body) => [
            Buffer.from(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`),
            body,
          ]),
        );
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const end = at + (cuts[i % cuts.length] as number);
          client.write(bytes.subarray(at, end));
          at = end;
        }
        await until(async () => answered() === bodies.length);
        client.destroy();
        // Bodies are read concurrently: a short one may end before a long one that came first.
        const key = (body: Buffer) => `${body.length} ${body[0]}`;
        expect(heard.map(key).sort()).to.deep.equal(bodies.map(key).sort());
        for (const body of heard) expect(body.every((byte) => byte === body[0])).to.equal(true);
      }),
      { numRuns: 30 },
    );
  });
});
