import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { createAddressOf, type TrustProxy } from '@sluice/ingress/http/sender-address';
import { expect } from 'chai';
import express from 'express';

const TRUSTED: readonly TrustProxy[] = [
  false,
  true,
  0,
  1,
  2,
  9,
  ['loopback'],
  ['loopback', 'uniquelocal'],
  ['loopback', '198.51.100.0/24', '2001:db8::/32'],
  ['203.0.113.9'],
];

const HEADERS: readonly (string | undefined)[] = [
  undefined,
  '',
  '198.51.100.7',
  '198.51.100.7, 10.0.0.9',
  '203.0.113.9, 198.51.100.7,10.0.0.9 , 127.0.0.1',
  '2001:db8::1, 198.51.100.7',
  'unknown, 198.51.100.7',
  'not an address',
  ' , ,198.51.100.7',
];

describe("ingress: the sender's address", () => {
  for (const trustProxy of TRUSTED)
    it(`is the ip of Express with TRUST_PROXY ${JSON.stringify(trustProxy)}`, async () => {
      const addressOf = createAddressOf(trustProxy);
      const app = express();
      app.set('trust proxy', trustProxy);
      app.use((req, res) => void res.json({ express: req.ip, ours: addressOf(req) }));
      const server = app.listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        for (const header of HEADERS) {
          const { express: expected, ours } = await ask(server, header);
          expect(expected, `${header}`).to.be.a('string');
          expect(ours, `X-Forwarded-For: ${header}`).to.equal(expected);
        }
      } finally {
        server.close();
      }
    });

  it('is undefined after the connection has closed', async () => {
    const app = express();
    const gone = new Promise<unknown>((resolve) => {
      app.use((req) => {
        req.socket.once('close', () => resolve(createAddressOf(false)(req)));
        req.socket.destroy();
      });
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await gone).to.equal(undefined);
    server.close();
  });
});

async function ask(
  server: Server,
  forwardedFor: string | undefined,
): Promise<{ express: string; ours: string }> {
  const { port } = server.address() as AddressInfo;
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const sent = request({ port, host: '127.0.0.1', headers, agent: false });
  sent.end();
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return JSON.parse(text);
}
