import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { type ConsumerBench, openConsumerBench, patientRedis } from './support/consumer-bench.ts';

/** More than a deadline of 300 ms may take on a busy machine, and less than the ages that BullMQ takes. */
const SOON_MS = 8000;

describe('the consumer closes within its deadline', () => {
  let bench: ConsumerBench;
  afterEach(() => bench?.close());

  async function closeSoon(deadlineMs: number): Promise<boolean> {
    const startedAt = Date.now();
    const allDone = await bench.consumer.close(deadlineMs);
    expect(Date.now() - startedAt).to.be.below(SOON_MS);
    return allDone;
  }

  it('at once when it holds nothing', async () => {
    bench = await openConsumerBench();
    await bench.consumer.ready;
    expect(await closeSoon(10_000)).to.equal(true);
  });

  it('while Redis is down', async () => {
    const connections: Redis[] = [];
    bench = await openConsumerBench((server) => ({
      connect: () => connections[connections.push(patientRedis(server.url)) - 1] as Redis,
    }));
    await bench.consumer.ready;
    await bench.server.kill('SIGKILL');
    await until(() => connections.every(({ status }) => status === 'reconnecting'));
    expect(await closeSoon(300)).to.equal(true);
  });

  it('while Redis was never there', async () => {
    const nobody = `redis://127.0.0.1:${await freePort()}`;
    bench = await openConsumerBench(() => ({ connect: () => patientRedis(nobody) }));
    expect(await closeSoon(300)).to.equal(true);
  });

  it('while Redis is frozen', async () => {
    bench = await openConsumerBench();
    await bench.consumer.ready;
    bench.server.freeze();
    expect(await closeSoon(300)).to.equal(true);
    bench.server.thaw();
  });

  it('soon, though it may take a minute, while a job is held that cannot be finished because Redis is down', async () => {
    await holdJob();
    await bench.server.kill('SIGKILL');
    expect(await closeSoon(60_000)).to.equal(false);
  });

  it('while a job is held, says so, and leaves the job to another', async () => {
    const job = await holdJob();
    expect(await closeSoon(300)).to.equal(false);
    expect(await job.getState()).to.equal('active');
  });

  /** Opens a bench whose consumer has taken a job, and never ends it. */
  async function holdJob() {
    let taken = () => {};
    const took = new Promise<void>((resolve) => {
      taken = resolve;
    });
    const handle = () => {
      taken();
      return new Promise<never>(() => undefined);
    };
    bench = await openConsumerBench(() => ({ handle }));
    const job = await bench.add(1);
    await took;
    return job;
  }
});
