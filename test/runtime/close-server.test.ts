import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { closeServer, closingTimes } from '@sluice/runtime/http/close-server';
import { createTimedServer } from '@sluice/runtime/http/http-server';
import { listen } from '@sluice/runtime/http/listen';
import { expect } from 'chai';
import { rawHttp } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

describe('a server that closes', () => {
  let server: Server;
  let url: string;
  const sockets: Socket[] = [];
  const start = async (listener: RequestListener) => {
    server = createTimedServer(listener);
    ({ url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'TEST' }));
  };
  const answerOk = (_: unknown, response: ServerResponse) => void response.writeHead(200).end('ok');
  const open = async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  const answerOn = async (socket: Socket) => {
    socket.write(GET);
    return String((await once(socket, 'data'))[0]);
  };
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  it('answers while it drains, and closes each connection with its response', async () => {
    await start(answerOk);
    const [used, idle] = [await open(), await open()];
    expect(await answerOn(used)).to.match(/keep-alive/i);
    await answerOn(idle);
    const closed = closeServer(server, { drainMs: 500, finishMs: 5000 });
    const onNew = rawHttp(url, [GET]);
    expect(await answerOn(used))
      .to.match(/^HTTP\/1.1 200 /)
      .and.match(/connection: close/i);
    expect(await onNew)
      .to.match(/^HTTP\/1.1 200 /)
      .and.match(/connection: close/i);
    await closed;
    await until(() => idle.destroyed || idle.readableEnded);
  });

  it('answers requests that are under way after the drain', async () => {
    let answer: (() => void) | undefined;
    await start((_, response) => {
      answer = () => answerOk(_, response);
    });
    const socket = await open();
    const answered = answerOn(socket);
    await until(() => answer !== undefined);
    const closed = closeServer(server, { drainMs: 0, finishMs: 60_000 });
    await until(() => !server.listening);
    answer?.();
    expect(await answered).to.match(/^HTTP\/1.1 200 /);
    await closed;
  });

  it('does not wait for connections that have sent nothing', async () => {
    await start(answerOk);
    const silent = await open();
    await until(() => connections(server).then((count) => count === 1));
    await closeServer(server, { drainMs: 0, finishMs: 60_000 });
    await until(() => silent.destroyed || silent.readableEnded);
  });

  it('cuts an unfinished request in time, after it has ended its streams', async () => {
    await start(answerOk);
    const slow = await open();
    slow.write('GET / HTTP/1.1\r\nhost: ');
    const told: string[] = [];
    await closeServer(server, { drainMs: 0, finishMs: 200, endStreams: () => told.push('streams') });
    expect(told).to.deep.equal(['streams']);
  });

  it('divides the grace period so that every step fits', () => {
    for (const graceMs of [1000, 10_000, 60_000])
      for (const drainMs of [0, 3000, 100_000]) {
        const times = closingTimes({ graceMs, drainMs });
        expect(times.drainMs).to.be.at.most(drainMs);
        expect(times.finishMs).to.be.at.least(graceMs / 4);
        expect(times.drainMs + times.finishMs).to.be.below(graceMs);
      }
    expect(closingTimes({ graceMs: 10_000, drainMs: 3000 }).drainMs).to.equal(3000);
  });
});

const connections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
