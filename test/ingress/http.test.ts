import { connect } from 'node:net';
import { expect } from 'chai';
import request from 'supertest';
import type { TestIngress } from '../support/ingress.ts';
import { useIngress } from '../support/ingress.ts';
import { rawHttp } from '../support/raw-http.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

describe('ingress: HTTP of real senders', () => {
  const ingress = useIngress();

  const head = (headers: Record<string, string | number>, method = 'POST') =>
    `${method} ${ingress.source.path} HTTP/1.1\r\nhost: x\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;

  it('accepts a body in many small chunks, with a signature over all bytes', async () => {
    const { body, headers } = signed({
      secret: ingress.source.secret,
      body: upsertBody({ title: 'Größe 東京' }),
    });
    const chunks = [...body].map((byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.from([byte]), Buffer.from('\r\n')]),
    );
    const answer = await rawHttp(ingress.url, [
      head({ ...headers, 'transfer-encoding': 'chunked', connection: 'close' }),
      ...chunks,
      '0\r\n\r\n',
    ]);
    expect(answer).to.match(/^HTTP\/1.1 200 /);
  });

  it('accepts a request with any expectation, which HTTP permits', async () => {
    const { body, headers } = signed({ secret: ingress.source.secret, body: upsertBody() });
    const sent = [
      head({ ...headers, expect: 'the-best', 'content-length': body.length, connection: 'close' }),
      body,
    ];
    expect(await rawHttp(ingress.url, sent)).to.match(/^HTTP\/1.1 200 /);
    const wrong = [head({ expect: 'the-best', 'content-length': 2, connection: 'close' }), '{}'];
    expect(await rawHttp(ingress.url, wrong))
      .to.match(/^HTTP\/1.1 415 /)
      .and.contain('/problems/unsupported_media_type');
  });

  it('rejects a request without Host with problem details that name the header', async () => {
    const before = (await ingress.enqueuedActions()).length;
    const { body, headers } = signed({ secret: ingress.source.secret, body: upsertBody() });
    for (const path of [ingress.source.path, '/nothing']) {
      const lines = Object.entries({ ...headers, 'content-length': body.length, connection: 'close' })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      const answer = await rawHttp(ingress.url, [`POST ${path} HTTP/1.1\r\n${lines}\r\n`, body]);
      expect(answer)
        .to.match(/^HTTP\/1.1 400 /)
        .and.match(/content-type: application\/problem\+json/i)
        .and.contain('Send Host');
    }
    expect(await ingress.enqueuedActions()).to.have.length(before);
  });

  it('keeps the connection of a request without a body, whatever the response', async () => {
    const get = (connection: string) => `GET / HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\n\r\n`;
    const answer = await rawHttp(ingress.url, [get('keep-alive'), get('close')]);
    expect(answer.match(/HTTP\/1.1 404 /g)).to.have.length(2);
  });

  it('closes the connection of an unread request, even if the client keeps its side open', async () => {
    const { hostname, port } = new URL(ingress.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let answer = '';
    let gone = false;
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => {
      gone = true;
    });
    socket.write('this is no HTTP\r\n\r\n');
    await until(() => answer.includes('not valid HTTP'));
    // A half-closed socket would accept this forever.
    await until(() => {
      if (!gone) socket.write('more');
      return gone;
    });
    socket.destroy();
  });

  it('stops an endless chunked body just past the limit, with a response', async () => {
    let sent = 0;
    const { hostname, port } = new URL(ingress.url);
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), hostname, () => {
        socket.write(head({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' }));
        const chunk = Buffer.concat([
          Buffer.from('4000\r\n'),
          Buffer.alloc(0x4000, 0x61),
          Buffer.from('\r\n'),
        ]);
        const more = () => {
          if (socket.destroyed) return;
          sent += 0x4000;
          socket.write(chunk, () => setImmediate(more));
        };
        more();
      });
      socket
        .on('data', (data) => (text += data))
        .on('error', () => {})
        .on('close', () => resolve(text));
    });
    expect(answer).to.match(/^HTTP\/1.1 413 /);
    // The kernel's buffers come on top of the 8 MiB that are read and dropped.
    expect(sent).to.be.below(32 * 1024 * 1024);
  });

  it('responds to each pipelined request, in their order', async () => {
    const requests = Array.from({ length: 5 }, (_, i) => {
      const { body, headers } = signed({ secret: ingress.source.secret, body: upsertBody() });
      const last = i === 4 ? { connection: 'close' } : {};
      return Buffer.concat([Buffer.from(head({ ...headers, ...last, 'content-length': body.length })), body]);
    });
    const answer = await rawHttp(ingress.url, [Buffer.concat(requests)]);
    expect(answer.match(/HTTP\/1.1 200 /g)).to.have.length(5);
  });

  it('responds to an accepted request before the invalid HTTP that follows it', async () => {
    const { body, headers } = signed({ secret: ingress.source.secret, body: upsertBody() });
    const whole = Buffer.concat([Buffer.from(head({ ...headers, 'content-length': body.length })), body]);
    const garbage = Buffer.from('GARBAGE\r\n\r\n');
    const answer = await rawHttp(ingress.url, [Buffer.concat([whole, garbage]), garbage, garbage]);
    expect(answer).to.match(/^HTTP\/1.1 200 /);
    expect(answer.match(/"detail":"[^"]*not valid HTTP/g), answer).to.have.length(1);
  });

  it('drops a sender that goes away in the middle of its body', async () => {
    const { hostname, port } = new URL(ingress.url);
    const before = ingress.logLines.length;
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write(head({ 'content-type': 'application/json', 'content-length': 1000 }));
    socket.write('{"action"', () => socket.destroy());
    await until(async () => (await openConnections(ingress)) === 0);
    expect(ingress.logLines.slice(before).filter((line) => line.includes('"level":50'))).to.be.empty;
    expect((await request(ingress.url).get('/')).status).to.equal(404);
  });

  it('responds to invalid HTTP with 400 and to too many headers with 431, as problem details', async () => {
    expect(await rawHttp(ingress.url, ['GARBAGE\r\n\r\n']))
      .to.match(/^HTTP\/1.1 400 /)
      .and.contain('/problems/bad_request');
    const long = head({ 'x-long': 'y'.repeat(100_000) });
    expect(await rawHttp(ingress.url, [long]))
      .to.match(/^HTTP\/1.1 431 /)
      .and.contain('application/problem+json');
  });
});

const openConnections = (ingress: TestIngress): Promise<number> =>
  new Promise((resolve) => ingress.server.getConnections((_, count) => resolve(count)));
