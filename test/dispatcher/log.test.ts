import { expect } from 'chai';
import { Redis } from 'ioredis';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type OutboundPipeline, useOutboundPipeline } from './support/outbound-pipeline.ts';
import { type Received, type Receiver, startReceiver } from './support/receiver.ts';

describe('the log of an account, between processes', function () {
  this.timeout(120_000);
  const pipeline = useOutboundPipeline();
  let source: Awaited<ReturnType<OutboundPipeline['addSource']>>;
  const receivers: Receiver[] = [];
  const receiver = async (answer?: Receiver['answer']) => {
    const one = await startReceiver(answer);
    receivers.push(one);
    return one;
  };
  before(async () => {
    source = await pipeline.addSource();
  });
  after(async () => {
    await Promise.all(receivers.map((one) => one.close()));
  });

  const send = async (title: string, price?: number) => {
    const event = { title, starts_at: '2030-04-01T08:00:00Z', price: String(price) };
    const request = signed({ secret: source.secret, body: { action: 'upsert', event } });
    const answer = await post(pipeline.urls[0] + source.path, request);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
  };
  const sequencesOf = (received: readonly Received[]) => received.map(({ body }) => body.sequence as number);
  const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

  it('an ordered subscription gets the changes of a record in order, also if one fails at first', async () => {
    const one = await receiver((_received, response) => {
      response.statusCode = one.received.length === 1 ? 500 : 200;
      response.end();
    });
    await pipeline.subscribe(source.accountId, { target_url: one.url, events: ['*'], ordered: true });
    for (let n = 0; n < 10; n++) await send('Same', n);
    await until(() => (one.received.at(-1)?.body.data as { price?: string })?.price === '9');
    const sequences = sequencesOf(one.received);
    expect(sequences).to.deep.equal(ascending(sequences));
    expect(one.received[1]?.id, 'the first is sent again before the others').to.equal(one.received[0]?.id);
  });

  it('a dispatcher that is killed during its turn loses nothing, and another one repeats what was under way', async () => {
    const [first] = pipeline.dispatchers;
    let isKilled = false;
    const one = await receiver((_received, response) => {
      // The first answers of the turn are held back until its dispatcher has died.
      if (isKilled || one.received.length < 3) response.end();
    });
    await pipeline.subscribe(source.accountId, { target_url: one.url, events: ['*'] });
    for (let n = 0; n < 20; n++) await send(`Fair ${n}`);
    await until(() => one.received.length >= 3);
    await first?.kill('SIGKILL');
    isKilled = true;
    await pipeline.addDispatcher();
    const ids = () => new Set(one.received.map(({ id }) => id));
    await until(() => ids().size === 20);
    // At most the requests of one turn at once.
    expect(one.received.length).to.be.at.most(20 + 32);
  });

  it('a message that waits for its retry arrives although Redis is emptied, and nothing else happens', async () => {
    const one = await receiver((_received, response) => {
      response.statusCode = one.received.length === 1 ? 500 : 200;
      response.end();
    });
    const made = await pipeline.subscribe(source.accountId, { target_url: one.url, events: ['*'] });
    const { subscription_id } = made.subscription;
    await send('Once more');
    const waiting = () => pipeline.store.webhookMessages.waitingMessages({ subscription_id, limit: 1 });
    await until(async () => (await waiting()).length === 1, { what: 'the message waits' });
    const redis = new Redis(pipeline.redis.url);
    await redis.flushall();
    redis.disconnect();
    await until(() => one.received.length === 2, { what: 'it is sent again' });
    expect(one.received[1]?.id).to.equal(one.received[0]?.id);
  });
});
