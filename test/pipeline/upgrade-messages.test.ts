import { readFileSync } from 'node:fs';
import { createKeyspace } from '@sluice/redis/keyspace';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { type OutboundPipeline, startOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

/** The jobs of nine requests, as an ingress of version 0.1.0 enqueued them. */
const JOBS = readFileSync(new URL('../worker/fixtures/version-4.json', import.meta.url), 'utf8');

describe('an upgrade from 0.1.0', function () {
  this.timeout(120_000);
  let pipeline: OutboundPipeline;
  let redis: Redis;
  let receiver: Receiver;
  before(async () => {
    // A long retention keeps the old rows of the fixture.
    const env = { DELIVERY_RETENTION_DAYS: '3650' };
    pipeline = await startOutboundPipeline({ ingress: 0, workers: 0, dispatchers: 0, env });
    redis = new Redis(pipeline.redis.url, { maxRetriesPerRequest: null });
    receiver = await startReceiver();
  });
  after(async () => {
    redis?.disconnect();
    await pipeline?.stop();
    await receiver?.close();
  });

  /** A source as 0.1.0 leaves it: published without a history, with requests that wait for a worker. */
  async function leftBy010() {
    const source = await pipeline.addSource();
    const keyspace = createKeyspace(pipeline.namespace);
    await redis.hdel(keyspace.source(source.sourceId), 'history');
    const [{ source_id, account_id }] = JSON.parse(JOBS).actions[0].data.actions;
    const jobs = JSON.parse(
      JOBS.replaceAll(source_id, source.sourceId).replaceAll(account_id, source.accountId),
    );
    const options = { connection: redis, prefix: keyspace.prefix };
    for (const name of ['actions', 'refusals']) {
      const queue = new Queue(name, options);
      await queue.addBulk(jobs[name]);
      await queue.close();
    }
    return source;
  }

  it('applies what waits, tells it to a subscription that was created meanwhile, and accepts each request', async () => {
    const source = await leftBy010();
    await pipeline.subscribe(source.accountId, { target_url: receiver.url, events: ['*'] });
    // In the order of docs/operations.md. The ingress has never seen the source.
    await pipeline.addWorker().ready();
    await pipeline.addDispatcher();
    const url = await pipeline.addIngress();
    const body = upsertBody({ title: 'Afterwards' });
    const answer = await post(url + source.path, signed({ secret: source.secret, body }));
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);

    await pipeline.logged(source, 10);
    const told = () =>
      receiver.received.map(({ type, body: { data } }) => `${type} ${(data as { title: string }).title}`);
    await until(() => told().includes('event.created Afterwards'), { what: 'the new event is told' });
    await until(() => told().filter((text) => text.startsWith('event.cancelled')).length === 2, {
      what: 'the cancelled events are told',
    });
    // The choir was created and deleted. Workers that apply both at once have nothing to tell.
    expect(told().filter((text) => !text.endsWith('Choir'))).to.have.members([
      ...['event.created Yoga in the park', 'event.cancelled Yoga in the park'],
      ...['event.created Chess', 'event.cancelled Chess', 'event.created Afterwards'],
    ]);
    const ids = receiver.received.map(({ id }) => id);
    expect(new Set(ids).size, 'each message came once').to.equal(ids.length);
    expect(await redis.hget(createKeyspace(pipeline.namespace).source(source.sourceId), 'history')).to.match(
      /^[0-9a-f]{40}$/,
    );
  });
});
