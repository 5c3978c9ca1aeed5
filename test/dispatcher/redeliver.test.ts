import { redeliverMessage } from '@sluice/outbound/subscriptions/redeliver-message';
import { readHealth } from '@sluice/outbound/subscriptions/subscription-health';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type OutboundPipeline, startOutboundPipeline } from './support/outbound-pipeline.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

describe('dispatcher: a resend', function () {
  this.timeout(120_000);
  let pipeline: OutboundPipeline;
  let receiver: Receiver;
  before(async () => {
    pipeline = await startOutboundPipeline();
    receiver = await startReceiver((_received, response) => response.writeHead(404).end());
  });
  after(async () => {
    await pipeline?.stop();
    await receiver?.close();
  });

  it('passes a mailbox that is held after failures, has one attempt, and the message never arrives twice', async () => {
    const source = await pipeline.addSource();
    const { subscription } = await pipeline.subscribe(source.accountId, {
      target_url: receiver.url,
      events: ['*'],
    });
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    const mailbox = async () => (await pipeline.mailboxes.status(accountId, [subscriptionId]))[0];
    const event = { starts_at: '2030-04-01T08:00:00Z' };
    for (let n = 1; n <= 6; n++)
      await post(
        pipeline.urls[0] + source.path,
        signed({
          secret: source.secret,
          body: { action: 'upsert', event: { ...event, title: `Fair ${n}` } },
        }),
      );
    await until(async () => (await mailbox())?.state.probing === true && (await mailbox())?.attempting === 0);
    // The next probe is far away.
    const held = { ...(await mailbox())?.state, notBefore: Date.now() + 3_600_000 };
    const redis = new Redis(pipeline.env.REDIS_URL as string);
    const key = createShards(pipeline.namespace, 1).first.mailbox(subscriptionId);
    await redis.hset(key, { state: JSON.stringify(held), not_before: held.notBefore });
    redis.disconnect();
    const [message] = await pipeline.store.webhookMessages.pageMessages({
      ...{ subscription_id: subscriptionId, status: 'pending', limit: 1 },
    });
    const messageId = message?.message_id ?? '';
    const resend = () => redeliverMessage(pipeline.deps, { accountId, subscriptionId, messageId });
    const found = () => pipeline.store.webhookMessages.findMessage(subscriptionId, messageId);
    const arrived = () => receiver.received.filter(({ id }) => id === messageId).length;
    const before = { arrived: arrived(), state: await mailbox(), message: await found() };

    expect(await resend()).to.include({ status: 'queued', leaves: 'now' });
    await until(() => arrived() === before.arrived + 1);
    await until(async () => (await found())?.attempts.at(-1)?.redelivery === true);
    const failed = await found();
    expect(failed).to.include({ status: 'pending', next_attempt_at: before.message?.next_attempt_at });
    await until(async () => (await mailbox())?.waiting === before.state?.waiting);
    expect((await mailbox())?.state).to.include({ round: before.state?.state.round, probing: true });

    receiver.answer = (_received, response) => response.end();
    await resend();
    await until(async () => (await found())?.status === 'delivered');
    await until(async () => (await mailbox())?.waiting === 0);
    // One success opens the mailbox: all others follow, and this one does not.
    expect(arrived()).to.equal(before.arrived + 2);
    const health = (await readHealth(pipeline.deps, accountId, [subscriptionId])).get(subscriptionId);
    const attempts = (await pipeline.store.webhookMessages.recentAttempts(subscriptionId)).filter(
      ({ redelivery }) => !redelivery,
    );
    const delivered = attempts.filter(({ code }) => code === 'delivered').length;
    expect(health?.success_ratio).to.equal(delivered / attempts.length);
  });
});
