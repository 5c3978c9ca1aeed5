import { randomBytes } from 'node:crypto';
import { checkMessageSignature } from '@sluice/signature/standard-webhooks';
import { expect } from 'chai';
import { sluice } from '../cli/support.ts';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Received, startReceiver } from '../dispatcher/support/receiver.ts';
import type { TestSource } from '../support/ingress.ts';
import { upsertUntilTaken } from '../support/post.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

type Env = Readonly<Record<string, string>>;

/** The steps of docs/security.md, in their order. test/faults/rolling-restarts.test.ts replaces processes under load. */
describe('SLUICE_SECRET_KEY that is changed', function () {
  this.timeout(240_000);
  const pipeline = useOutboundPipeline({ ingress: 2, workers: 1, dispatchers: 1 });
  const receiver = use(startReceiver);
  let webhookSecret: string;
  let api: ServiceProcess | undefined;
  const sources: Pick<TestSource, 'path' | 'secret'>[] = [];
  let accountId: string;
  /** Ingresses that were replaced. */
  const former: ServiceProcess[] = [];
  let sent = 0;
  before(async () => {
    const source = await pipeline.addSource();
    sources.push(source);
    accountId = source.accountId;
    const body = { target_url: receiver.url, events: ['event.created'] };
    ({ secret: webhookSecret } = await pipeline.subscribe(accountId, body));
  });
  after(async () => {
    await api?.kill('SIGKILL');
  });

  it('rejects no request at any step, and in the end no process needs the former key', async () => {
    const newKey = randomBytes(32).toString('base64');
    const only = { SLUICE_SECRET_KEY: newKey };
    const both = { ...only, SLUICE_SECRET_KEYS_OLD: pipeline.env.SLUICE_SECRET_KEY as string };
    await startApi({});
    await replaceIngresses(both);
    await replaceDispatcher(both);
    await startApi(both);
    sources.push(await createSource(both));
    await expectAllWork();
    const resealed = await sluice(['secrets', 'reseal', '--json'], { env: { ...pipeline.env, ...both } });
    expect(resealed.rows).to.deep.equal([{ resealed: 2, already_current: 1, unreadable: 0 }]);
    await expectAllWork();
    await replaceIngresses(only);
    await replaceDispatcher(only);
    await startApi(only);
    const logged = [...former, ...pipeline.ingresses, ...pipeline.dispatchers].flatMap(({ log }) => log);
    expect(logged.filter(({ event }) => String(event).endsWith('.sealed'))).to.deep.equal([]);
    expect(receiver.received.filter((one) => !isSigned(one, webhookSecret))).to.deep.equal([]);
  });

  /** Each ingress accepts a request of each source, and the receiver gets a message of each. */
  async function expectAllWork(): Promise<void> {
    for (const url of pipeline.urls)
      for (const source of sources) {
        expect((await upsertUntilTaken(url, source)).status).to.equal(200);
        sent += 1;
      }
    const received = () => new Set(receiver.received.map(({ id }) => id)).size;
    await until(() => received() === sent, { what: 'a message of each request' });
  }

  /** Replaces its only replica. It becomes ready only if its keys open the sealed secrets. */
  async function startApi(env: Env): Promise<void> {
    await api?.kill('SIGTERM');
    api = startService('api', { ...pipeline.env, ...env });
    await api.ready();
  }

  async function replaceDispatcher(env: Env): Promise<void> {
    const replaced = pipeline.dispatchers.at(-1);
    await pipeline.addDispatcher(env);
    await expectAllWork();
    await replaced?.kill('SIGTERM');
    await expectAllWork();
  }

  /** Replaces one after the other, as a rolling restart does. */
  async function replaceIngresses(env: Env): Promise<void> {
    for (const _ of [...pipeline.urls]) {
      await pipeline.addIngress(env);
      await expectAllWork();
      pipeline.urls.shift();
      former.push(...pipeline.ingresses.splice(0, 1));
      await former.at(-1)?.kill('SIGTERM');
    }
  }

  /** Creates a source as the API does, which has the same keys by then. */
  async function createSource(env: Env): Promise<Pick<TestSource, 'path' | 'secret'>> {
    const args = ['source', 'create', '--name', 'Meanwhile', '--account', accountId, '--json'];
    const made = await sluice(args, { env: { ...pipeline.env, ...env } });
    expect(made.code, made.stderr).to.equal(0);
    const { source_id, signing_secret } = made.rows[0] as Record<string, string>;
    return { path: `/api/v1/events/webhook/${source_id}`, secret: signing_secret as string };
  }
});

function isSigned({ id, headers, text }: Received, secret: string): boolean {
  const timestamp = Number(headers['webhook-timestamp']);
  const message = { messageId: id, timestamp, body: Buffer.from(text) };
  return checkMessageSignature(secret, String(headers['webhook-signature']), message);
}
