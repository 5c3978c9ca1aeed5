import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { send } from '@sluice/dispatcher/attempt/send';
import { createAgent } from '@sluice/egress/agent';
import { expect } from 'chai';
import { until } from '../support/until.ts';

describe('dispatcher: a message for a host whose connections are all in use', () => {
  let server: Server;
  const open: ServerResponse[] = [];
  before(async () => {
    server = createServer((_request, response) => void open.push(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is not sent, and the log does not say that the host could not be reached', async () => {
    const agent = createAgent({ mayConnect: () => true, connectMs: 1000, connectionsPerOrigin: 1 });
    const post = (wholeMs: number) =>
      send(agent, {
        url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
        ...{ headers: {}, body: '{}', leaseUntil: () => performance.now() + 1000, wholeMs },
      });
    const first = post(10_000);
    await until(() => open.length === 1);
    expect(await post(100)).to.deep.equal({ kind: 'error', code: 'no_connection' });
    open[0]?.end();
    expect(await first).to.include({ kind: 'response', status: 200 });
    await agent.close();
    expect(open).to.have.length(1);
  });
});
