import { setTimeout as sleep } from 'node:timers/promises';
import { createTimeBudget, lateRefusal } from '@sluice/api/public/layer/time-budget';
import { expect } from 'chai';

const never = () => new Promise<never>(() => {});
const onLateError = () => {};
const refusal = () => lateRefusal({ method: 'GET', hasIdempotencyKey: false, hasIfMatch: false });

function occupy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('the time that a public request may wait for the stores', () => {
  it('ends with a 503 that names when to try again', async () => {
    const startedAt = performance.now();
    const result = await createTimeBudget({ onLateError, refusal, budgetMs: 250 }).spend(never);
    expect(result).to.include({ code: 'unavailable', retryAfterSeconds: 2 });
    expect(performance.now() - startedAt).to.be.at.least(245);
  });

  it('is shared by all steps of a request', async () => {
    const budget = createTimeBudget({ onLateError, refusal, budgetMs: 300 });
    await budget.spend(() => sleep(200));
    const startedAt = performance.now();
    expect(await budget.spend(never)).to.have.property('code', 'unavailable');
    expect(performance.now() - startedAt).to.be.below(200);
  });

  it('does not count time in which the process got no CPU', async () => {
    const work = async () => {
      await sleep(10);
      occupy(600);
      // The response of a store would have arrived meanwhile, and is read in the next turns.
      await sleep(10);
      await sleep(10);
      return 'read';
    };
    expect(await createTimeBudget({ onLateError, refusal, budgetMs: 300 }).spend(work)).to.equal('read');
  });

  it('reports an error of work that went on after its 503', async () => {
    const errors: unknown[] = [];
    const budget = createTimeBudget({ onLateError: (error) => errors.push(error), refusal, budgetMs: 50 });
    let fail: (error: Error) => void = () => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await budget.spend(() => work);
    const error = new Error('late');
    fail(error);
    await sleep(0);
    expect(errors).to.deep.equal([error]);
  });
});
