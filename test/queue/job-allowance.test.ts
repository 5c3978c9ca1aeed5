import { createJobAllowance } from '@sluice/queue/job-allowance';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { type ConsumerBench, openConsumerBench } from './support/consumer-bench.ts';

const MOST_JOBS = 32;
const MOST_HELD = 100;
const weighing = { weightOf: (data: unknown) => (data as { weight: number }).weight, held: MOST_HELD };

describe('the number of prefetched jobs', function () {
  this.timeout(60_000);
  let bench: ConsumerBench | undefined;
  afterEach(() => bench?.close());

  const jobsAfter = (...weights: readonly number[]): number => {
    const allowance = createJobAllowance(MOST_JOBS, weighing);
    for (const weight of weights) allowance.saw({ weight });
    return allowance.jobs();
  };
  const many = (weight: number) => Array.from({ length: 60 }, () => weight);

  it('fits the weight limit, estimated from recent jobs', () => {
    expect(jobsAfter(...many(50))).to.equal(2);
    expect(jobsAfter(...many(1), ...many(10))).to.equal(10);
    expect(jobsAfter(...many(50), ...many(10))).to.equal(10);
  });

  it('is at least one and at most the limit', () => {
    expect(jobsAfter(...many(1000))).to.equal(1);
    expect(jobsAfter(...many(0))).to.equal(MOST_JOBS);
    expect(jobsAfter()).to.equal(MOST_JOBS);
    expect(createJobAllowance(MOST_JOBS, undefined).jobs()).to.equal(MOST_JOBS);
  });

  it('shrinks while a real queue has large jobs, and grows again for small ones', async () => {
    let done = 0;
    let held = 0;
    const mostHeld: number[] = [];
    const release: (() => void)[] = [];
    bench = await openConsumerBench(() => ({
      concurrency: MOST_JOBS,
      weighing,
      handle: async () => {
        held += 1;
        mostHeld.push(held);
        await new Promise<void>((resolve) => void release.push(resolve));
        held -= 1;
        done += 1;
        return 'done';
      },
    }));
    const { queue } = bench;
    const add = (count: number, weight: number) =>
      queue.addBulk(Array.from({ length: count }, () => ({ name: 'group', data: { weight } })));
    const finish = async (count: number) => {
      const target = done + count;
      await until(
        () => {
          for (const one of release.splice(0)) one();
          return done >= target;
        },
        { what: `${count} more jobs are done` },
      );
    };
    await add(100, 50);
    await finish(100);
    expect(Math.max(...mostHeld.splice(0).slice(-30)), 'of 50 each').to.be.at.most(3);
    await add(300, 1);
    await finish(300);
    expect(Math.max(...mostHeld.slice(-30)), 'of 1 each').to.be.above(10);
  });
});
