import { newId } from '@sluice/credentials/ids';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { startReceiver } from '../dispatcher/support/receiver.ts';
import { addKey, startApis } from '../support/api-processes.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { type Running, startSluice } from './running.ts';
import { sluice } from './support.ts';

interface Logged {
  readonly id: string;
  readonly status: string;
}

describe('sluice listen', function () {
  this.timeout(180_000);
  const pipeline = useOutboundPipeline();
  const apis = use(() => startApis(pipeline, 2));
  const receiver = use(startReceiver);
  let accountId: string;
  let key: string;
  const started: Running[] = [];
  beforeEach(async () => {
    accountId = (await pipeline.addSource()).accountId;
    key = await addKey(pipeline, accountId);
    receiver.received.length = 0;
    receiver.answer = (_received, response) => response.end();
  });
  afterEach(() => Promise.all(started.splice(0).map((one) => one.end('SIGKILL'))));

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
    // The dispatcher logs a message once the stream has passed on the answer.
    const logged = async () => {
      const { data } = (await (await call('GET', `webhooks/${id}/deliveries`)).json()) as { data: Logged[] };
      return data.find((row) => row.id === one?.id)?.status === 'delivered';
    };
    await until(logged, { what: 'the message is logged as delivered' });
  });

  it('ends its subscription with Ctrl C, and has the same secret the next time', async () => {
    const first = await listen();
    expect(await first.running.end('SIGINT')).to.equal(0);
    expect(await subscriptions()).to.deep.equal([]);
    expect((await listen()).secret).to.equal(first.secret);
  });

  it('ends with the sentence of the API when its key is revoked, and forwards nothing more', async () => {
    const { running } = await listen();
    const other = await addKey(pipeline, accountId, ['write:leads']);
    const [apiKey] = await pipeline.store.apiKeys.listApiKeys({ account_id: accountId });
    await pipeline.store.apiKeys.revokeApiKey(apiKey?.key_id as string, Date.now());
    const answer = await call('POST', 'leads', { name: 'Late', email: 'late@example.com' }, other);
    expect(answer.status).to.equal(201);
    expect(await running.exited).to.equal(1);
    expect(running.stderr()).to.contain('revoked');
    expect(receiver.received).to.deep.equal([]);
  });

  it('loses nothing while the API server that it reads from is killed and replaced', async () => {
    const { running } = await listen('--events', 'lead.created');
    await addLead('1');
    await until(() => receiver.received.length === 1);
    await apis.replace(0);
    const leads = await fetch(`${apis.urls[1]}/api/public/leads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: '2', email: 'two@example.com' }),
    });
    expect(leads.status).to.equal(201);
    await until(() => receiver.received.length === 2);
    expect(new Set(receiver.received.map(({ id }) => id)).size).to.equal(2);
    await running.end('SIGTERM');
  });

  it('shows what the receiver answers, also nothing', async () => {
    const { running } = await listen('--events', 'lead.created');
    receiver.answer = (_received, response) => response.writeHead(500).end();
    await addLead('1');
    await until(() => running.lines.length === 2);
    expect(running.rows()[1]).to.include({ status: 500, error: null });
    receiver.answer = (_received, response) => response.destroy();
    await addLead('2');
    await until(() => running.lines.length === 3);
    expect(running.rows()[2]).to.include({ status: null });
  });

  it('sluice trigger sends a made-up message to a running sluice listen', async () => {
    const { running, id } = await listen('--events', 'lead.created');
    const env = { SLUICE_URL: apis.urls[0] as string, SLUICE_API_KEY: key };
    const done = await sluice(['trigger', 'lead.stage_changed', '--json'], { env });
    expect(done.code, done.stderr).to.equal(0);
    expect(done.rows[0]).to.include({ subscription_id: id, status: 'delivered', code: 'delivered' });
    await until(() => running.lines.length === 2);
    expect(receiver.received[0]).to.include({ type: 'lead.stage_changed', id: done.rows[0]?.message_id });
    expect(receiver.received[0]?.headers).to.include({ 'webhook-test': '1' });
    const slip = await sluice(['trigger', 'lead.creatd'], { env });
    expect(slip.code).to.equal(2);
    expect(slip.stderr).to.match(/^sluice: <kind>: Not an event kind/);
    const action = await sluice(['trigger', 'upsert'], { env });
    expect(action.code).to.equal(2);
    expect(action.stderr).to.contain('sluice send upsert');
  });

  it('rejects a key without the scope, a mistyped key and a missing URL, and prints no key', async () => {
    const noScope = await addKey(pipeline, accountId, ['read:leads']);
    const run = (env: Record<string, string>) => sluice(['listen', '--forward-to', receiver.url], { env });
    const SLUICE_URL = apis.urls[0] as string;
    for (const [env, code, told] of [
      [{ SLUICE_URL, SLUICE_API_KEY: noScope }, 1, /lacks the scope webhooks/],
      [{ SLUICE_URL, SLUICE_API_KEY: `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}` }, 2, /typo/],
      [{ SLUICE_API_KEY: key }, 2, /SLUICE_URL/],
      [{ SLUICE_URL }, 2, /SLUICE_API_KEY/],
    ] as const) {
      const done = await run(env);
      expect(done.code, done.stderr).to.equal(code);
      expect(done.stderr).to.match(told).and.not.contain('slc_live_0');
    }
  });
});
