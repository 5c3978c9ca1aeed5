import { registerReceiverMetrics } from '@sluice/dispatcher/receiver-metrics';
import { pageMessages } from '@sluice/outbound/subscriptions/read-messages';
import { readHealth } from '@sluice/outbound/subscriptions/subscription-health';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { parseExposition } from '../operations/support/exposition.ts';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type OutboundPipeline, startOutboundPipeline } from './support/outbound-pipeline.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

describe('dispatcher: what is shown of a receiver that fails or is slow', function () {
  this.timeout(120_000);
  let pipeline: OutboundPipeline;
  const receivers: Receiver[] = [];
  before(async () => {
    pipeline = await startOutboundPipeline();
  });
  after(async () => {
    await pipeline?.stop();
    await Promise.all(receivers.map((one) => one.close()));
  });

  const subscribed = async (answer: Receiver['answer']) => {
    const source = await pipeline.addSource();
    const receiver = await startReceiver(answer);
    receivers.push(receiver);
    const { subscription } = await pipeline.subscribe(source.accountId, {
      ...{ target_url: receiver.url, events: ['*'] },
    });
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    return {
      receiver,
      send: async (title: string) => {
        const event = { title, starts_at: '2030-04-01T08:00:00Z' };
        const request = signed({ secret: source.secret, body: { action: 'upsert', event } });
        expect((await post(pipeline.urls[0] + source.path, request)).status).to.equal(200);
      },
      health: async () => (await readHealth(pipeline.deps, accountId, [subscriptionId])).get(subscriptionId),
      messages: async () => {
        const page = await pageMessages(pipeline.deps, { accountId, subscriptionId, limit: 50 });
        return page.status === 'page' ? page.messages : [];
      },
    };
  };

  /** Reads what a dispatcher exports so many milliseconds after its start. */
  const reports = () => {
    let clock = 0;
    const metrics = createMetrics({ service: 'dispatcher' });
    const { mailboxes, deps } = pipeline;
    registerReceiverMetrics({
      metrics,
      mailboxes,
      subscriptions: deps.subscriptions,
      shards: 1,
      now: () => clock,
    });
    return async (at: number) => {
      clock = at;
      const { value } = parseExposition(await metrics.text());
      const stateOf = (state: string) => [state, value('sluice_subscriptions', { state })];
      const states = Object.fromEntries(['active', 'retrying', 'failing', 'paused'].map(stateOf));
      return { ...states, waiting: value('sluice_messages_waiting') };
    };
  };

  it('is retrying from its first failure, with the time of the next attempt, until it accepts a message', async () => {
    const began = Date.now();
    const reported = reports();
    const { receiver, send, health, messages } = await subscribed((_received, response) =>
      response.writeHead(500).end(),
    );
    expect(await health()).to.include({ waiting: 0, retrying_since: null });
    await send('Fair');
    await until(async () => (await health())?.retrying_since != null, { what: 'it is retrying' });
    const failing = await health();
    expect(failing).to.include({ waiting: 1, success_ratio: 0 });
    expect(failing?.retrying_since).to.be.within(began, Date.now());
    expect(failing?.next_attempt_at).to.be.within(Date.now() - 1000, Date.now() + 6000);
    const [message] = await messages();
    expect(message?.next_attempt_at).to.be.within((failing?.next_attempt_at ?? 0) - 100, Date.now() + 6000);
    expect(await reported(0)).to.deep.equal({ active: 0, retrying: 1, failing: 0, paused: 0, waiting: 1 });
    receiver.answer = (_received, response) => response.end();
    await until(async () => (await health())?.waiting === 0, { what: 'it is delivered' });
    expect(await reported(29_999), 'not read at each scrape').to.include({ retrying: 1 });
    expect(await reported(30_000)).to.deep.equal({
      active: 1,
      retrying: 0,
      failing: 0,
      paused: 0,
      waiting: 0,
    });
    expect(await health()).to.include({ retrying_since: null, next_attempt_at: null });
    expect(await messages()).to.have.nested.property('[0].next_attempt_at', null);
  });

  it('has its other messages due since they were made, while it works on the first one', async () => {
    const held: (() => void)[] = [];
    const { send, health, messages, receiver } = await subscribed((_received, response) => {
      held.push(() => response.end());
    });
    for (const title of ['Fair', 'Ball', 'Play']) await send(title);
    await until(async () => (await messages()).length === 3 && held.length === 1);
    expect(await health()).to.include({ waiting: 3, next_attempt_at: null, retrying_since: null });
    for (const { next_attempt_at, created_at } of await messages())
      expect(next_attempt_at).to.equal(created_at);
    receiver.answer = (_received, response) => response.end();
    for (const release of held) release();
    await until(async () => (await health())?.waiting === 0, { what: 'all are delivered' });
  });
});
