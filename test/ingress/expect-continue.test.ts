import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { startIngress, useIngress } from '../support/ingress.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

for (const reader of ['plain', 'node'] as const)
  describe(`ingress: Expect: 100-continue, with the ${reader} reader`, () => {
    const ingress = useIngress({ config: { INGRESS_HTTP_READER: reader } });

    /** Sends a head that expects 100, and nothing else until the first response. */
    async function expecting(path: string, headers: Record<string, string | number>, url = ingress.url) {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text;
      });
      const lines = Object.entries({ host: 'x', expect: '100-continue', ...headers });
      socket.write(
        `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      );
      await once(socket, 'data');
      return { socket, answer: () => answer };
    }

    for (const [status, path, headers] of [
      [413, '', { 'content-type': 'application/json', 'content-length': 300_000 }],
      [415, '', { 'content-type': 'text/plain', 'content-length': 100 }],
      [404, '/nothing', { 'content-type': 'application/json', 'content-length': 100 }],
    ] as const)
      it(`${status} is the only response to a head that is rejected`, async () => {
        const { socket, answer } = await expecting(path || ingress.source.path, headers);
        expect(answer()).to.match(new RegExp(`^HTTP/1.1 ${status} `));
        await until(() => answer().endsWith('}'));
        expect(answer().match(/HTTP\/1.1 /g)).to.have.length(1);
        socket.destroy();
      });

    it('100 lets a sender go on whose head is right, and its request is accepted', async () => {
      const { body, headers } = signed({ secret: ingress.source.secret, body: upsertBody() });
      const { socket, answer } = await expecting(ingress.source.path, {
        ...headers,
        'content-length': body.length,
      });
      expect(answer()).to.equal('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write(body);
      await until(() => answer().includes('delivery_id'));
      expect(answer()).to.contain('HTTP/1.1 200 OK');
      socket.destroy();
    });

    it('a chunked body that turns out to be too large gets 413 after the 100', async () => {
      const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
      const { socket, answer } = await expecting(ingress.source.path, headers);
      expect(answer()).to.equal('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write(`50000\r\n${'x'.repeat(0x50000)}\r\n0\r\n\r\n`);
      await until(() => answer().includes('payload_too_large'));
      socket.destroy();
    });

    it('503 is the only response while nothing can be accepted', async () => {
      const closed = await startIngress({ config: { INGRESS_HTTP_READER: reader } });
      try {
        closed.ingress.gate.drain();
        const { path } = ingress.source;
        const headers = { 'content-type': 'application/json', 'content-length': 100 };
        const { socket, answer } = await expecting(path, headers, closed.url);
        await until(() => answer().endsWith('}'));
        expect(answer()).to.match(/^HTTP\/1.1 503 /);
        expect(answer().match(/HTTP\/1.1 /g)).to.have.length(1);
        socket.destroy();
      } finally {
        await closed.close();
      }
    });
  });
