import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { startReceiver } from '../dispatcher/support/receiver.ts';
import { newFolder } from '../support/folder.ts';
import type { TestSource } from '../support/ingress.ts';
import { postUpsert } from '../support/post.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { preload } from './support/preload.ts';
import { report } from './support/report.ts';
import { selfSigned } from './support/self-signed.ts';

const HOST = 'receiver.rebound.example';

describe('a name that has a public address first and a private one then', function () {
  this.timeout(120_000);
  const pipeline = useOutboundPipeline({ dispatchers: 0 });
  let source: TestSource;
  const tls = selfSigned(HOST);
  // The name is resolved for each connection, and this one is not kept.
  const receiver = use(() =>
    startReceiver((_received, response) => response.writeHead(200, { connection: 'close' }).end(), 0, tls),
  );
  before(async () => {
    const NODE_EXTRA_CA_CERTS = join(newFolder(), 'ca.pem');
    await writeFile(NODE_EXTRA_CA_CERTS, tls.cert);
    const rebound = { ...preload('rebound-name'), REBOUND_HOST: HOST };
    await pipeline.addDispatcher({ ...rebound, NODE_EXTRA_CA_CERTS, OUTBOUND_PRIVATE_NETWORKS: 'false' });
    source = await pipeline.addSource();
  });

  it('guarantee 10: sends nothing to the private address, and the log says why', async () => {
    const { port } = new URL(receiver.url);
    const body = { target_url: `https://${HOST}:${port}/hook`, events: ['*'] };
    const { subscription } = await pipeline.subscribe(source.accountId, body);
    const { subscription_id } = subscription;
    const logged = () => pipeline.store.webhookMessages.pageMessages({ subscription_id, limit: 10 });
    const codes = async () => (await logged()).map(({ attempts }) => attempts[0]?.code).reverse();

    await postUpsert(pipeline.urls[0] as string, source, { title: 'One' });
    await until(async () => (await logged()).length === 1, { what: 'the first message is logged' });
    expect(await codes()).to.deep.equal(['delivered']);
    await postUpsert(pipeline.urls[0] as string, source, { title: 'Two' });
    await until(async () => (await logged()).length === 2, { what: 'the second message is logged' });
    expect(await codes()).to.deep.equal(['delivered', 'forbidden_address']);
    expect(receiver.received.map(({ body: { data } }) => (data as { title: string }).title)).to.deep.equal([
      'One',
    ]);
    report('0; the log says forbidden_address');
  });
});
