import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { usePeer } from '../../bench/support/outbound-peer.ts';
import { outboundCpu } from '../../bench/support/outbound-pipeline.ts';
import type { Peer } from '../../bench/support/peer-options.ts';
import { readRequests } from '../../bench/support/requests-file.ts';
import { onStage } from '../../bench/support/stage.ts';
import { temporaryFolder } from '../../bench/support/temporary-folder.ts';

const PEER: Peer = {
  url: 'http://127.0.0.1:9/api/publish?wait=1',
  headers: { Authorization: 'Bearer key' },
  body: '{"tenant":"ä","data":MESSAGE}',
  receiverPort: 0,
  idHeader: 'X-Event-Id',
  processes: {},
};

async function deliver(url: string, headers: Record<string, string>): Promise<void> {
  const sent = request(`${url}/hook`, { method: 'POST', headers: { ...headers, 'Content-Length': '2' } });
  sent.end('{}');
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
}

describe('a peer of the bench', () => {
  it('gets each message in its own body, with its headers', async () => {
    await onStage(async (keep) => {
      const file = join((await keep(temporaryFolder())).path, 'requests');
      const pipeline = await usePeer(keep, PEER);
      await pipeline.prepare(file, 7, 2);
      const requests = (await readRequests(file)).map((bytes) => bytes.toString());
      expect(requests.map((text) => JSON.parse(text.split('\r\n\r\n')[1] ?? '').data.number)).to.deep.equal([
        7, 8,
      ]);
      const [head = '', body = ''] = requests[0]?.split('\r\n\r\n') ?? [];
      expect(head.split('\r\n')).to.include.members([
        'POST /api/publish?wait=1 HTTP/1.1',
        'Authorization: Bearer key',
        `Content-Length: ${Buffer.byteLength(body)}`,
      ]);
      expect(JSON.parse(body).tenant).to.equal('ä');
    });
  });

  it('has its messages counted by the header that it names', async () => {
    await onStage(async (keep) => {
      const { receiver } = await usePeer(keep, PEER);
      for (const id of ['a', 'b', 'a'])
        await deliver(receiver.url, { 'X-Event-Id': id, 'webhook-id': Math.random().toString() });
      const { received, requests } = await receiver.ask('count');
      expect({ received, requests }).to.deep.equal({ received: 2, requests: 3 });
    });
  });

  it('has the CPU time of the processes of its parts, and none where none are named', async () => {
    await onStage(async (keep) => {
      // The receiver itself is a process that certainly runs. Its arguments are separated as in a shell.
      const counted = await usePeer(keep, {
        ...PEER,
        processes: { store: /--import tsx .*programs\/receiver\.ts/ },
      });
      const { store, redis } = await outboundCpu(counted);
      expect(store).to.be.greaterThan(0);
      expect(redis).to.equal(0);
      const unknown = await outboundCpu(await usePeer(keep, PEER));
      expect(Object.values(unknown).every(Number.isNaN)).to.equal(true);
    });
  });
});
