import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { freePort } from '../support/free-port.ts';
import { patientRedis } from '../support/redis-client.ts';
import { until } from '../support/until.ts';
import { type ConsumerBench, openConsumerBench } from './support/consumer-bench.ts';

/** Longer than a deadline of 300 ms takes on a busy machine, and shorter than BullMQ's own close. */
const SOON_MS = 8000;

describe('a closing consumer', () => {
  let bench: ConsumerBench;
  afterEach(() => bench?.close());

  async function closeSoon(deadlineMs: number): Promise<boolean> {
    const startedAt = Date.now();
    const allDone = await bench.consumer.close(deadlineMs);
    expect(Date.now() - startedAt).to.be.below(SOON_MS);
    return allDone;
  }

  it('closes at once when it has no job', async () => {
    bench = await openConsumerBench();
    await bench.consumer.ready;
    expect(await closeSoon(10_000)).to.equal(true);
  });

  it('closes within its deadline while Redis is down', async () => {
    const connections: Redis[] = [];
    bench = await openConsumerBench((server) => ({
      connect: () => connections[connections.push(patientRedis(server.url)) - 1] as Redis,
    }));
    await bench.consumer.ready;
    await bench.server.kill('SIGKILL');
    await until(() => connections.every(({ status }) => status === 'reconnecting'));
    expect(await closeSoon(300)).to.equal(true);
  });

  it('closes within its deadline when Redis was never there', async () => {
    const nobody = `redis://127.0.0.1:${await freePort()}`;
    bench = await openConsumerBench(() => ({ connect: () => patientRedis(nobody) }));
    expect(await closeSoon(300)).to.equal(true);
  });

  it('closes within its deadline while Redis is frozen', async () => {
    bench = await openConsumerBench();
    await bench.consumer.ready;
    bench.server.freeze();
    expect(await closeSoon(300)).to.equal(true);
    bench.server.thaw();
  });

  it('does not wait a minute for a job that cannot finish because Redis is down', async () => {
    await holdJob();
    await bench.server.kill('SIGKILL');
    expect(await closeSoon(60_000)).to.equal(false);
  });

  it('reports a job that is unfinished at the deadline, and leaves it to another worker', async () => {
    const job = await holdJob();
    expect(await closeSoon(300)).to.equal(false);
    expect(await job.getState()).to.equal('active');
  });

  /** Opens a bench whose consumer has fetched a job and never finishes it. */
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
