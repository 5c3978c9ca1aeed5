import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createConsumer } from '@sluice/queue/consumer';
import { expect } from 'chai';
import { patientRedis } from '../support/redis-client.ts';
import { until } from '../support/until.ts';
import { type ConsumerBench, openConsumerBench, PREFIX } from './support/consumer-bench.ts';

describe('the consumer', function () {
  this.timeout(240_000);
  let bench: ConsumerBench;
  afterEach(() => bench?.close());

  it('makes few errors and one log line while Redis is at its memory limit, and continues after that', async () => {
    bench = await openConsumerBench();
    const { client, events } = bench;
    await bench.add(1);
    await bench.took(1);
    await client.config('SET', 'maxmemory', '1');
    // It blocks for up to 5 s while the queue is empty. Then it meets the limit.
    await until(() => events.length > 0, { what: 'the consumer met the limit' });
    const startedAt = Date.now();
    const before = await refusedCommands();
    await until(async () => (await refusedCommands()) >= before + 4, { what: 'it tries again' });
    expect(Date.now() - startedAt, 'four attempts, each later than the one before').to.be.above(300);
    expect(events).to.deep.equal(['consumer.error']);

    await client.config('SET', 'maxmemory', '0');
    await bench.add(2);
    await bench.took(2);
    expect(await bench.queue.getFailedCount()).to.equal(0);
  });

  async function refusedCommands(): Promise<number> {
    const stats = await bench.client.info('errorstats');
    return Number(/errorstat_OOM:count=(\d+)/.exec(stats)?.[1] ?? 0);
  }

  it('replaces a worker that is connected and fetches nothing', async () => {
    const blackHole = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(blackHole, 'listening');
    const { port } = blackHole.address() as AddressInfo;
    let blocking = 0;
    bench = await openConsumerBench((server) => ({
      silenceMs: 600,
      // The blocking connection of the first worker never gets a response, so BullMQ waits forever.
      connect: (name) => {
        const dead = name.includes(':w:') && blocking++ === 0;
        return patientRedis(dead ? `redis://127.0.0.1:${port}` : server.url);
      },
    }));
    await bench.add(1);
    await bench.took(1);
    await bench.add(2);
    await bench.took(2);
    expect(bench.events).to.include('consumer.silent');
    await bench.consumer.close(1000);
    blackHole.close();
  });

  it('gives a job back when its handler threw, and fails no job', async () => {
    let runs = 0;
    const handle = async () => {
      runs += 1;
      throw new TypeError('no such property');
    };
    bench = await openConsumerBench(() => ({ handle }));
    const job = await bench.add(1);
    await until(() => runs === 1);
    expect(await bench.consumer.close(5000)).to.equal(true);
    expect(await job.getState()).to.equal('waiting');
    expect((await bench.queue.getJob(job.id ?? ''))?.attemptsMade).to.equal(0);
    expect(bench.events).to.deep.equal(['job.bug']);
  });

  it('puts off a job for another consumer, which gets it unchanged', async () => {
    const taken: unknown[] = [];
    bench = await openConsumerBench(() => ({ handle: async () => 'put_off' }));
    const job = await bench.add(1);
    await until(async () => (await job.getState()) === 'delayed', { what: 'it is put off' });
    await bench.consumer.close(5000);

    const newer = createConsumer({
      queue: 'actions',
      prefix: PREFIX,
      concurrency: 1,
      connect: () => patientRedis(bench.server.url),
      logger: { warn: () => {}, error: () => {} },
      handle: async ({ data }) => {
        taken.push(data);
        return 'done';
      },
    });
    await until(() => taken.length > 0, { what: 'the other one takes it' });
    await newer.close(5000);
    expect(taken).to.deep.equal([{ n: 1 }]);
    expect(await bench.queue.getJobCountByTypes('waiting', 'active', 'delayed', 'failed')).to.equal(0);
  });

  it('puts off only the rest of a job of which a part is done', async () => {
    bench = await openConsumerBench(() => ({ handle: async () => ({ rest: { n: 'rest' } }) }));
    const job = await bench.add(1);
    await until(async () => (await job.getState()) === 'delayed', { what: 'it is put off' });
    expect((await bench.queue.getJob(job.id ?? ''))?.data).to.deep.equal({ n: 'rest' });
  });
});
