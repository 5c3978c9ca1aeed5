import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { selfSigned } from '../faults/support/self-signed.ts';
import { newFolder } from '../support/folder.ts';
import { sluiceProcess } from './support.ts';

describe('sluice behind a proxy', () => {
  it('calls an https API through HTTPS_PROXY, except hosts of NO_PROXY', async () => {
    const certified = selfSigned('sluice.test');
    const authority = join(newFolder(), 'cert.pem');
    await writeFile(authority, certified.cert);
    const api = createTlsServer(certified, (_request, response) =>
      response.writeHead(401).end(JSON.stringify({ code: 'key_missing', detail: '', request_id: 'req_1' })),
    ).listen(0, '127.0.0.1');
    const asked: (string | undefined)[] = [];
    const proxy = createServer().listen(0, '127.0.0.1');
    proxy.on('connect', ({ url }, client) => {
      asked.push(url);
      const upstream = connect((api.address() as AddressInfo).port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      for (const socket of [client, upstream]) socket.on('error', () => undefined);
    });
    try {
      await Promise.all([once(api, 'listening'), once(proxy, 'listening')]);
      const env = {
        SLUICE_URL: 'https://sluice.test',
        HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        NODE_EXTRA_CA_CERTS: authority,
        DATA_DIR: dirname(authority),
      };
      const [server] = (await sluiceProcess(['doctor', '--json'], { env })).rows;
      expect(server, JSON.stringify(server)).to.include({ check: 'API server', result: 'ok' });
      expect(new Set(asked)).to.deep.equal(new Set(['sluice.test:443']));
      asked.length = 0;
      const [direct] = (await sluiceProcess(['doctor', '--json'], { env: { ...env, NO_PROXY: '.test' } }))
        .rows;
      expect(direct).to.include({ check: 'API server', result: 'problem' });
      expect(asked).to.deep.equal([]);
    } finally {
      proxy.close();
      api.close();
    }
  });
});
