import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { servePlainFirst } from '@sluice/ingress/http/plain/serve-plain-first';
import { answerClientErrors } from '@sluice/runtime/http/client-errors';
import { closeServer } from '@sluice/runtime/http/close-server';
import { expect } from 'chai';
import { until } from '../support/until.ts';

describe('connections whose requests are plain', () => {
  const TIMES = { requestMs: 60, idleMs: 120 };
  const REQUEST = 'POST /api/v1/events/webhook/src_1 HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}';
  const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
  let server: Server;
  let port: number;
  let theirs: Socket | undefined;
  let answer: (() => void) | undefined;
  let closeDoor: () => void;

  beforeEach(async () => {
    answer = undefined;
    server = createServer((request, response) => void request.resume().on('end', () => response.end('node')));
    answerClientErrors(server, () => 'req_1');
    const door = servePlainFirst(
      server,
      (_request, connection) => {
        theirs = connection.socket;
        answer = () => connection.answer(ANSWER, 'latin1');
      },
      TIMES,
    );
    closeDoor = () => door.close();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (text: string): { socket: Socket; all: Promise<string> } => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    if (text !== '') socket.write(text);
    let seen = '';
    socket.setEncoding('utf8').on('data', (more: string) => {
      seen += more;
    });
    return { socket, all: once(socket, 'close').then(() => seen) };
  };
  const begun = () => until(() => answer !== undefined);
  const closing = { drainMs: 0, finishMs: 60_000 };

  it('end with a 408 if no request arrives', async () => {
    expect(await send('').all).to.match(/^HTTP\/1\.1 408 /);
  });

  it('end silently after they have been idle', async () => {
    const { all } = send(REQUEST);
    await begun();
    answer?.();
    expect(await all).to.equal(ANSWER);
  });

  it("get Node's timeouts if the body does not arrive", async () => {
    const nodes = once(server, 'request');
    send(REQUEST.slice(0, -2));
    await nodes;
    expect(answer).to.equal(undefined);
  });

  it('do not end before a response, however long it takes', async () => {
    const { socket, all } = send(REQUEST);
    await begun();
    const idle = send(REQUEST);
    const first = answer;
    await until(() => answer !== first);
    answer?.();
    await idle.all;
    expect(socket.destroyed, 'the other one has been idle for long').to.equal(false);
    first?.();
    expect(await all).to.equal(ANSWER);
  });

  for (const when of ['before the response', 'after the response'])
    it(`are idle after an empty line behind a request: ${when}`, async () => {
      const { socket, all } = send(REQUEST);
      await begun();
      if (when === 'after the response') answer?.();
      const { bytesRead } = theirs as Socket;
      socket.write('\r\n');
      await until(() => theirs?.destroyed === true || (theirs as Socket).bytesRead > bytesRead);
      if (when === 'before the response') answer?.();
      // Node would wait for a request, and send a 408 at the end.
      expect(await all).to.equal(ANSWER);
    });

  it('end with the server: idle ones at once, the others after their response', async () => {
    const [answered, owed] = [send(REQUEST), send('')];
    await begun();
    answer?.();
    answer = undefined as typeof answer;
    owed.socket.write(REQUEST);
    await begun();
    const closed = closeServer(server, closing);
    await answered.all;
    expect(owed.socket.destroyed).to.equal(false);
    answer?.();
    expect(await owed.all).to.equal(ANSWER);
    await closed;
  });

  it('are not idle during an incomplete request', async () => {
    const { socket, all } = send(REQUEST.slice(0, -2));
    const other = send(REQUEST);
    await begun();
    answer?.();
    answer = undefined as typeof answer;
    server.closeIdleConnections();
    expect(await other.all).to.equal(ANSWER);
    let told: string | undefined;
    void Promise.race([once(socket, 'data'), all]).then((text) => {
      told = String(text);
    });
    socket.write('{}');
    await until(() => {
      // Node may have the connection by then.
      answer?.();
      return told !== undefined;
    });
    expect(told).to.match(/^HTTP\/1\.1 200 /);
  });

  it('go to Node once the server begins to close, which then closes them', async () => {
    const { socket, all } = send(REQUEST);
    await begun();
    answer?.();
    const closed = closeServer(server, { ...closing, drainMs: 100, beginDraining: closeDoor });
    socket.write(REQUEST);
    expect(await all).to.match(
      /^HTTP\/1\.1 200 OK\r\ncontent-length: 0\r\n\r\nHTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/i,
    );
    await closed;
  });

  it('are closed with all others', async () => {
    const { all } = send(REQUEST);
    await begun();
    server.closeAllConnections();
    expect(await all).to.equal('');
  });
});
