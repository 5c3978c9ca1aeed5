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

  it('are ended with a 408 where nothing comes over them', async () => {
    expect(await send('').all).to.match(/^HTTP\/1\.1 408 /);
  });

  it('are ended without a word when they have been idle for long after an answer', async () => {
    const { all } = send(REQUEST);
    await begun();
    answer?.();
    expect(await all).to.equal(ANSWER);
  });

  it("are Node's to time where the body does not come", async () => {
    const nodes = once(server, 'request');
    send(REQUEST.slice(0, -2));
    await nodes;
    expect(answer).to.equal(undefined);
  });

  it('are not ended while an answer is owed, however long that takes', async () => {
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

  for (const when of ['while an answer is owed', 'after its answer'])
    it(`are idle where an empty line comes behind a request: ${when}`, async () => {
      const { socket, all } = send(REQUEST);
      await begun();
      if (when === 'after its answer') answer?.();
      const { bytesRead } = theirs as Socket;
      socket.write('\r\n');
      await until(() => theirs?.destroyed === true || (theirs as Socket).bytesRead > bytesRead);
      if (when === 'while an answer is owed') answer?.();
      // Node would wait for a request, and tell its sender so in the end.
      expect(await all).to.equal(ANSWER);
    });

  it('are ended with the server: those that are answered at once, the others once they are', async () => {
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

  it('are not idle while half of a request is there', async () => {
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
      // By then it may be Node's.
      answer?.();
      return told !== undefined;
    });
    expect(told).to.match(/^HTTP\/1\.1 200 /);
  });

  it('are read by Node from the moment on in which the server begins to close, which asks for their end', async () => {
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

  it('are cut with all others', async () => {
    const { all } = send(REQUEST);
    await begun();
    server.closeAllConnections();
    expect(await all).to.equal('');
  });
});
