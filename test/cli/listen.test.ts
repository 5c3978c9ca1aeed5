import { newId } from '@sluice/credentials/ids';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type OutboundPipeline, startOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import { type ApiProcesses, addKey, startApis } from '../support/api-processes.ts';
import { until } from '../support/until.ts';
import { type Running, startSluice } from './running.ts';

describe('sluice listen', function () {
  this.timeout(180_000);
  let pipeline: OutboundPipeline;
  let apis: ApiProcesses;
  let receiver: Receiver;
  let accountId: string;
  let key: string;
  const started: Running[] = [];
  before(async () => {
    pipeline = await startOutboundPipeline();
    apis = await startApis(pipeline, 2);
    receiver = await startReceiver();
  });
  beforeEach(async () => {
    accountId = (await pipeline.addSource()).accountId;
    key = await addKey(pipeline, accountId);
    receiver.received.length = 0;
    receiver.answer = (_received, response) => response.end();
  });
  afterEach(() => Promise.all(started.splice(0).map((one) => one.end('SIGKILL'))));
  after(async () => {
    await receiver?.close();
    await apis?.stop();
    await pipeline?.stop();
  });

  const call = (method: string, path: string, body?: object, as = key) =>
    fetch(`${apis.urls[0]}/api/public/${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const addLead = async (name: string) => {
    const answer = await call('POST', 'leads', { name, email: `${newId('lead')}@example.com` });
    expect(answer.status, await answer.clone().text()).to.equal(201);
  };
  const listen = async (...args: string[]) => {
    const env = { SLUICE_URL: apis.urls[0] as string, SLUICE_API_KEY: key };
    const running = startSluice(['listen', '--forward-to', receiver.url, '--json', ...args], env);
    started.push(running);
    await until(() => running.lines.length > 0 || running.stderr() !== '');
    expect(running.stderr()).to.equal('');
    const [{ secret, subscription_id: id }] = running.rows() as [Record<string, string>];
    return { running, secret: secret as string, id: id as string };
  };
  const subscriptions = () => pipeline.store.subscriptions.listSubscriptions(accountId);

  it('forwards each message byte for byte, signed with the secret that it prints', async () => {
    const { running, secret, id } = await listen('--events', 'lead.created');
    await addLead('Größe “1”');
    await until(() => receiver.received.length === 1);
    const [one] = receiver.received;
    new Webhook(secret).verify(one?.text ?? '', one?.headers as Record<string, string>);
    expect(one?.headers).to.include({ 'content-type': 'application/json' });
    expect(one?.body).to.include({ type: 'lead.created', account_id: accountId, id: one?.id });
    await until(() => running.lines.length === 2);
    expect(running.rows()[1]).to.include({ event: 'message', message_id: one?.id, status: 200, error: null });
    const log = (await (await call('GET', `webhooks/${id}/deliveries`)).json()) as { data: object[] };
    expect(log.data[0]).to.deep.include({ id: one?.id, status: 'delivered' });
  });

  it('ends its subscription with Ctrl C, and has the same secret the next time', async () => {
    const first = await listen();
    expect(await first.running.end('SIGINT')).to.equal(0);
    expect(await subscriptions()).to.deep.equal([]);
    expect((await listen()).secret).to.equal(first.secret);
  });
});
