import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Received, startReceiver } from '../dispatcher/support/receiver.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { expectFailure, sluice } from './support.ts';

describe('sluice webhook with a dispatcher', function () {
  this.timeout(120_000);
  const pipeline = useOutboundPipeline({ ingress: 0, workers: 0 });
  const receiver = use(() =>
    startReceiver((_received, response) => response.writeHead(status).end('Thank you')),
  );
  let id: string;
  let secret: string;
  let status = 200;
  const run = (args: string) =>
    sluice(args.split(' '), { env: { ...pipeline.env, DATA_DIR: '/nonexistent' } });
  const json = async (args: string) => {
    const done = await run(`${args} --json`);
    if (done.code !== 0) throw new Error(`exit ${done.code}: ${done.stderr}`);
    return done.rows;
  };

  before(async () => {
    await pipeline.store.ensureIndexes();
    await json('account create --name Hall');
    const [made] = await json(
      `webhook create --url ${receiver.url} --events lead.created,lead.stage_changed`,
    );
    id = String(made?.id);
    secret = String(made?.secret);
  });
  beforeEach(() => {
    status = 200;
    receiver.received.length = 0;
  });
  const delivered = async (count: number) => {
    await until(async () => (await json(`webhook deliveries ${id} --status delivered`)).length >= count);
    return json(`webhook deliveries ${id}`);
  };

  it('sends the changes that commands make, signed, and lists them with their attempts', async () => {
    const [lead] = await json('lead create --name Ada');
    await json(`lead stage ${lead?.id} Won`);
    await until(() => receiver.received.length === 2);
    expect(receiver.received.map(({ type }) => type)).to.have.members(['lead.created', 'lead.stage_changed']);
    for (const { text, headers, body } of receiver.received) {
      new Webhook(secret).verify(text, headers as Record<string, string>);
      expect(body.actor).to.deep.equal({ type: 'system', id: 'cli' });
    }
    const messages = await delivered(2);
    expect(messages.map((one) => one.id)).to.have.members(receiver.received.map((one) => one.id));
    expect(messages[0]?.attempts).to.have.nested.property('[0].code', 'delivered');
    expect(await json(`webhook deliveries ${id} --limit 1`)).to.deep.equal(messages.slice(0, 1));
    expect((await run(`webhook deliveries ${id}`)).stdout).to.match(/^CREATED_AT +TYPE +STATUS +ATTEMPTS/);
    expect((await json(`webhook show ${id}`))[0]).to.include({ waiting: 0, success_ratio: 1 });
  });

  it('sends a message again with the same id', async () => {
    const [message] = await delivered(1);
    expect((await json(`webhook redeliver ${id} ${message?.id}`))[0]).to.include({ id: message?.id });
    await until(() => receiver.received.length === 1);
    expect(receiver.received[0]).to.include({ id: message?.id });
    expect(receiver.received[0]?.headers['webhook-redelivery']).to.equal('1');
    const unknown = await run(`webhook redeliver ${id} msg_none`);
    expectFailure(unknown, 1, 'The subscription has no message msg_none');
  });

  it('tests a subscription, prints what the receiver responded, and fails if it failed', async () => {
    const good = await run(`webhook test ${id} --json`);
    expect(good.code, good.stderr).to.equal(0);
    expect(good.rows[0]).to.include({
      ...{ subscription_id: id, status: 'delivered', code: 'delivered' },
      ...{ http_status: 200, response: 'Thank you' },
    });
    expect(receiver.received[0]).to.include({ type: 'webhook.test' });
    status = 500;
    const bad = await run(`webhook test ${id} --event lead.created --json`);
    expect(bad.code).to.equal(1);
    expect(bad.rows[0]).to.include({ status: 'failed', http_status: 500 });
    expect(Object.keys(bad.rows[0] ?? {})).to.deep.equal(Object.keys(good.rows[0] ?? {}));
    expect(bad.stderr).to.not.contain('    at ');
    expect(receiver.received[1]).to.include({ type: 'lead.created' });
    const tests = (await json(`webhook deliveries ${id}`)).filter(({ type }) => type === 'webhook.test');
    expect(tests).to.have.length(2);
    const again = await run(`webhook redeliver ${id} ${tests[0]?.id}`);
    expectFailure(again, 1, `send a new one with sluice webhook test ${id}`);
  });

  it('tests no paused subscription, and says how to resume it', async () => {
    await json(`webhook pause ${id}`);
    const done = await run(`webhook test ${id}`);
    await json(`webhook resume ${id}`);
    expectFailure(done, 1, 'No test was sent. The subscription is paused');
  });

  it('shows what is attempted as due, a receiver that fails as retrying, and times and status with --json', async () => {
    const slow = await startReceiver();
    const released = new Promise<() => void>((resolve) => {
      slow.answer = (_received, response) => resolve(() => response.writeHead(500).end());
    });
    const [made] = await json(`webhook create --url ${slow.url} --events lead.created`);
    try {
      await json('lead create --name Ada');
      const release = await released;
      const columns = (await run(`webhook deliveries ${made?.id}`)).stdout;
      expect(columns).to.match(/ lead\.created +pending +0 +due +- +msg_/);
      const [message] = await json(`webhook deliveries ${made?.id}`);
      expect(message).to.include({ next_attempt_at: message?.created_at });
      release();
      const shown = async () => (await json(`webhook show ${made?.id}`))[0];
      await until(async () => typeof (await shown())?.retrying_since === 'string', {
        what: 'it is retrying',
      });
      expect(await shown()).to.include({ status: 'active', waiting: 1 });
      expect((await run('webhook list')).stdout).to.match(new RegExp(`^${made?.id} +retrying `, 'm'));
      expect((await run(`webhook show ${made?.id}`)).stdout).to.match(/^status +retrying$/m);
    } finally {
      await json(`webhook delete ${made?.id}`);
      await slow.close();
    }
  });

  it('discards what waits, so that it is not sent after a pause, and lists it', async () => {
    await json(`webhook pause ${id}`);
    for (const name of ['Old', 'Older']) await json(`lead create --name ${name}`);
    await until(async () => (await json(`webhook show ${id}`))[0]?.waiting === 2);
    expect(await json(`webhook discard ${id}`)).to.deep.equal([{ id, discarded: 2 }]);
    expect((await json(`webhook show ${id}`))[0]).to.include({ waiting: 0 });
    await json(`webhook resume ${id}`);
    await json('lead create --name New');
    await until(() => receiver.received.length === 1);
    expect(receiver.received[0]?.body.data).to.include({ name: 'New' });
    const discarded = await json(`webhook deliveries ${id} --status discarded`);
    expect(discarded.map(({ attempts }) => attempts)).to.deep.equal([[], []]);
    await json(`webhook redeliver ${id} ${discarded[0]?.id}`);
    await until(() => receiver.received.length === 2);
    expect(receiver.received[1]).to.include({ id: discarded[0]?.id });
  });

  it('says that a time to recover since is in the future', async () => {
    const { code, stderr } = await run(`webhook recover ${id} --since 2126-01-01T00:00:00Z`);
    expect(code).to.equal(2);
    expect(stderr).to.match(/--since is in the future: it is 20/);
  });

  it('recovers what a receiver has not asked for since a time, and not twice', async () => {
    // A change is kept for recovery if some subscription asks for it.
    const [other] = await json(`webhook create --url ${receiver.url}/other --events lead.created`);
    const since = new Date().toISOString();
    await json(`webhook update ${id} --events conversation.closed`);
    await json('lead create --name Missed');
    await json(`webhook update ${id} --events lead.created`);
    await until(() => receiver.received.length === 1);
    expect(await json(`webhook recover ${id} --since ${since}`)).to.deep.equal([
      { id, since, messages: 1, recovered_since: since },
    ]);
    await until(() => receiver.received.length === 2);
    const recovered = receiver.received[1] as Received;
    new Webhook(secret).verify(recovered.text, recovered.headers as Record<string, string>);
    expect(recovered.body.data).to.include({ name: 'Missed' });
    await until(async () => (await json(`webhook show ${id}`))[0]?.waiting === 0);
    expect((await json(`webhook recover ${id} --since ${since}`))[0]).to.include({ messages: 0 });
    // Nothing before the subscription was made is known.
    const [early] = await json(`webhook recover ${id} --since 2020-01-01T00:00:00Z`);
    const [shown] = await json(`webhook show ${id}`);
    expect(early).to.include({ since: '2020-01-01T00:00:00.000Z', recovered_since: shown?.created_at });
    await json(`webhook delete ${other?.id}`);
  });
});
