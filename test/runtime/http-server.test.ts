import { once } from 'node:events';
import { connect } from 'node:net';
import { createTimedServer } from '@sluice/runtime/http/http-server';
import { listen } from '@sluice/runtime/http/listen';
import { expect } from 'chai';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

describe('an idle connection', () => {
  it('stays open longer than its responses announce, answers a late request, and is closed after that', async () => {
    const answerOk = (_: unknown, response: { end: (body: string) => void }) => response.end('ok');
    const server = createTimedServer(answerOk, { keepAliveTimeout: 50 });
    const { url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'TEST' });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const answer = async () => {
      socket.write(GET);
      return String((await once(socket, 'data'))[0]);
    };
    try {
      expect(await answer()).to.match(/^HTTP\/1.1 200 /);
      await once(server, 'timeout');
      expect(await answer()).to.match(/^HTTP\/1.1 200 /);
      await once(socket, 'close');
    } finally {
      socket.destroy();
      server.close();
    }
  });
});
