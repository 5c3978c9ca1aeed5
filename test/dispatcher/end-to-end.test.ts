import { recoverMessages } from '@sluice/outbound/subscriptions/recover-messages';
import { redeliverMessage } from '@sluice/outbound/subscriptions/redeliver-message';
import { testSubscription } from '@sluice/outbound/subscriptions/test-subscription';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type OutboundPipeline, useOutboundPipeline } from './support/outbound-pipeline.ts';
import { type Received, type Receiver, startReceiver } from './support/receiver.ts';

type Source = Awaited<ReturnType<OutboundPipeline['addSource']>>;

describe('dispatcher: from a webhook to the receivers', function () {
  this.timeout(120_000);
  const pipeline = useOutboundPipeline();
  const receivers: Receiver[] = [];
  const receiver = async (answer?: Receiver['answer']) => {
    const one = await startReceiver(answer);
    receivers.push(one);
    return one;
  };
  after(async () => {
    await Promise.all(receivers.map((one) => one.close()));
  });

  const send = async (source: Source, action: string, title: string, more: object = {}) => {
    const event = { title, starts_at: '2030-04-01T08:00:00Z', ...more };
    const answer = await post(
      pipeline.urls[0] + source.path,
      signed({ secret: source.secret, body: { action, event } }),
    );
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  };

  it('publishes each change of an event, signed by Standard Webhooks, with the fields that changed', async () => {
    const source = await pipeline.addSource();
    const one = await receiver();
    const { secret } = await pipeline.subscribe(source.accountId, { target_url: one.url, events: ['*'] });
    await send(source, 'upsert', 'Fair', { price: 'Free' });
    await until(() => one.received.length === 1);
    await send(source, 'upsert', 'Fair', { price: '5 €' });
    await until(() => one.received.length === 2);
    await send(source, 'cancel', 'Fair');
    await until(() => one.received.length === 3);
    await send(source, 'delete', 'Fair');
    await until(() => one.received.length === 4);
    expect(one.received.map(({ type }) => type)).to.deep.equal([
      'event.created',
      'event.updated',
      'event.cancelled',
      'event.deleted',
    ]);
    for (const { text, headers, body, id } of one.received) {
      new Webhook(secret).verify(text, headers as Record<string, string>);
      expect(body.id).to.equal(id);
      expect(body).to.include({ account_id: source.accountId });
    }
    const sequences = one.received.map(({ body }) => body.sequence as number);
    expect(sequences).to.deep.equal([...sequences].sort((a, b) => a - b));
    const updated = one.received[1] as Received;
    expect(updated.body.data).to.deep.include({ price: '5 €' });
    expect((updated.body.data as { previous: object }).previous).to.deep.include({ price: 'Free' });
  });

  it('guarantee 9: a receiver that never responds delays no other', async () => {
    const source = await pipeline.addSource();
    const dead = await receiver(() => {});
    const living = await receiver();
    for (const { url } of [dead, living])
      await pipeline.subscribe(source.accountId, { target_url: url, events: ['event.created'] });
    for (let n = 0; n < 20; n++) await send(source, 'upsert', `Event ${n}`);
    await until(() => living.received.length === 20, { withinMs: 14_000 });
    expect(dead.received.length).to.be.below(20);
  });

  it('tries a message again with the same id, and logs each attempt', async () => {
    const source = await pipeline.addSource();
    const one = await receiver((_received, response) => response.writeHead(500).end('broken'));
    const { subscription } = await pipeline.subscribe(source.accountId, {
      target_url: one.url,
      events: ['*'],
    });
    await send(source, 'upsert', 'Again');
    await until(() => one.received.length === 1);
    one.answer = (_received, response) => response.end();
    await until(() => one.received.length === 2, { withinMs: 60_000 });
    expect(one.received[0]?.id).to.equal(one.received[1]?.id);
    const logged = () =>
      pipeline.store.webhookMessages.pageMessages({
        subscription_id: subscription.subscription_id,
        limit: 10,
      });
    await until(async () => (await logged())[0]?.status === 'delivered');
    const [message] = await logged();
    expect(message?.attempts.map(({ code, status }) => `${code} ${status}`)).to.deep.equal([
      'server_error 500',
      'delivered 200',
    ]);
    expect(message?.attempts[0]?.response).to.equal('broken');
  });

  it('sends a test while a receiver fails, and returns what it answered', async () => {
    const source = await pipeline.addSource();
    const one = await receiver((_received, response) => response.writeHead(500).end('broken'));
    const wanted = { target_url: one.url, events: ['*'], ordered: true };
    const { subscription, secret } = await pipeline.subscribe(source.accountId, wanted);
    for (let n = 0; n < 8; n++) await send(source, 'upsert', `Event ${n}`);
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    // Five different records have failed, so the subscription is probed.
    await until(async () => {
      const [status] = await pipeline.outbox.status(accountId, [subscriptionId]);
      return status?.state.probing === true;
    });
    const before = one.received.length;
    const failed = await testSubscription(pipeline.deps, { accountId, subscriptionId });
    if (failed.status !== 'answered') throw new Error(failed.status);
    expect(failed.attempt).to.include({ code: 'server_error', response: 'broken' });
    expect(failed.attempt.sentence).to.include('A test is not tried again.');
    expect(one.received).to.have.length(before + 1);
    one.answer = (_received, response) => response.end('thanks');
    const tested = await testSubscription(pipeline.deps, { accountId, subscriptionId, kind: 'lead.created' });
    if (tested.status !== 'answered') throw new Error(tested.status);
    expect(tested.attempt).to.include({ code: 'delivered', response: 'thanks' });
    const test = one.received.find(({ id }) => id === tested.message_id) as Received;
    expect(test.type).to.equal('lead.created');
    expect(test.headers['webhook-test']).to.equal('1');
    new Webhook(secret).verify(test.text, test.headers as Record<string, string>);
    // The receiver is back, so all that waited follows.
    const created = () =>
      new Set(one.received.filter(({ type }) => type === 'event.created').map(({ id }) => id));
    await until(() => created().size === 8, { withinMs: 60_000 });
  });

  it('recovers what was discarded, with the header of a redelivery', async () => {
    const source = await pipeline.addSource();
    const one = await receiver((_received, response) => response.writeHead(404).end());
    const { subscription } = await pipeline.subscribe(source.accountId, {
      target_url: one.url,
      events: ['*'],
    });
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    await send(source, 'upsert', 'Missed');
    await until(async () => {
      const [status] = await pipeline.outbox.status(accountId, [subscriptionId]);
      return status?.waiting === 1 && status.attempting === 0 && one.received.length === 1;
    });
    await pipeline.outbox.discard(accountId, subscriptionId);
    one.answer = (_received, response) => response.end();
    const recovered = await recoverMessages(pipeline.deps, { accountId, subscriptionId, since: 0 });
    expect(recovered).to.include({ status: 'queued', messages: 1 });
    await until(() => one.received.length === 2);
    expect(one.received[1]?.id).to.equal(one.received[0]?.id);
    expect(one.received[1]?.headers['webhook-redelivery']).to.equal('1');
  });

  it('sends a message again at once on request while its receiver fails, and never after it was delivered', async () => {
    const source = await pipeline.addSource();
    const accepted: string[] = [];
    const one = await receiver((_received, response) => response.writeHead(404).end());
    const { subscription } = await pipeline.subscribe(source.accountId, {
      target_url: one.url,
      events: ['*'],
    });
    const { account_id: accountId, subscription_id: subscriptionId } = subscription;
    const status = async () => (await pipeline.outbox.status(accountId, [subscriptionId]))[0];
    for (let n = 0; n < 6; n++) await send(source, 'upsert', `Event ${n}`);
    await until(async () => (await status())?.state.probing === true);
    const messageId = one.received[0]?.id ?? '';
    const { webhookMessages } = pipeline.store;
    const lastAttempt = async () =>
      (await webhookMessages.findMessage(subscriptionId, messageId))?.attempts.at(-1);
    const resend = () => redeliverMessage(pipeline.deps, { accountId, subscriptionId, messageId });

    expect(await resend()).to.include({ status: 'queued', leaves: 'now' });
    await until(async () => (await lastAttempt())?.redelivery === true);
    expect(await lastAttempt()).to.include({ status: 404 });
    expect((await status())?.state.probing, 'it does not open the subscription').to.equal(true);

    one.answer = ({ id }, response) => {
      accepted.push(id);
      response.end();
    };
    await resend();
    // One success opens the subscription: all others follow, and this one does not.
    await until(async () => (await status())?.waiting === 0, { withinMs: 60_000 });
    expect(accepted).to.have.length(6);
    expect(new Set(accepted)).to.have.property('size', 6);
  });

  it('removes a subscription whose receiver answers 410, and the audit log has it', async () => {
    const source = await pipeline.addSource();
    const one = await receiver((_received, response) => response.writeHead(410).end());
    const { subscription } = await pipeline.subscribe(source.accountId, {
      target_url: one.url,
      events: ['*'],
    });
    await send(source, 'upsert', 'Gone');
    await until(
      async () =>
        !(await pipeline.store.subscriptions.listSubscriptions(source.accountId)).some(
          ({ subscription_id }) => subscription_id === subscription.subscription_id,
        ),
    );
    await send(source, 'upsert', 'Later');
    await pipeline.logged(source, 2);
    expect(one.received).to.have.length(1);
    const { items } = await pipeline.store.auditLog.pageEntries({ account_id: source.accountId, limit: 2 });
    expect(items).to.have.length(1);
    expect(items[0]?.actor).to.deep.equal({ user_id: 'receiver', email: 'the receiver' });
    expect(items[0]).to.deep.include({
      ...{ action: 'webhook.deleted', detail: 'It answered 410 (Gone).' },
      target: { id: subscription.subscription_id, name: new URL(one.url).host },
    });
  });

  it('guarantee 12: an ordered subscription gets the changes of one event one after the other', async () => {
    const source = await pipeline.addSource();
    let open = 0;
    let most = 0;
    const one = await receiver((_received, response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        response.end();
      });
    });
    await pipeline.subscribe(source.accountId, { target_url: one.url, events: ['*'], ordered: true });
    for (let n = 0; n < 30; n++) await send(source, 'upsert', 'Same', { price: String(n) });
    await until(() => (one.received.at(-1)?.body.data as { price?: string })?.price === '29');
    const sequences = one.received.map(({ body }) => body.sequence as number);
    expect(sequences).to.deep.equal([...sequences].sort((a, b) => a - b));
    expect(most).to.equal(1);
  });

  it('guarantee 8: a killed dispatcher loses no message', async () => {
    const source = await pipeline.addSource();
    const one = await receiver((_received, response) => void setTimeout(() => response.end(), 5));
    await pipeline.subscribe(source.accountId, { target_url: one.url, events: ['event.created'] });
    const titles = Array.from({ length: 60 }, (_, n) => `Kept ${n}`);
    const sending = (async () => {
      for (const title of titles) await send(source, 'upsert', title);
    })();
    await until(() => one.received.length > 10);
    await pipeline.dispatchers[0]?.kill('SIGKILL');
    await pipeline.addDispatcher();
    await sending;
    const told = () => new Set(one.received.map(({ body }) => (body.data as { title: string }).title));
    await until(() => told().size === titles.length, { withinMs: 60_000 });
    const ids = new Map<string, string>();
    for (const { id, body } of one.received) {
      const { title } = body.data as { title: string };
      expect(ids.get(title) ?? id, 'a repeated message has the same id').to.equal(id);
      ids.set(title, id);
    }
  });
});
