import type { RateState, Verdict } from '@sluice/admission/verdict';
import { expect } from 'chai';
import fc from 'fast-check';
import { outcomes, useAdmission } from './support/use-admission.ts';

describe('admission: the rate of a source', () => {
  const { publish, action, many, admit } = useAdmission();

  it('admits exactly the burst, then rejects with the wait until the next request', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 60 }),
        async (perSecond, burst, count) => {
          const record = await publish();
          const verdicts = await admit(record, many(count), { rate: { perSecond, burst } });
          expect(verdicts.filter((verdict) => verdict.outcome === 'admitted')).to.have.length(
            Math.min(burst, count),
          );
          verdicts.forEach((verdict, i) => {
            if (verdict.outcome === 'admitted') expect(verdict.rate.remaining).to.equal(burst - i - 1);
            if (verdict.outcome === 'rate_limited') expect(verdict.retryAfterSeconds).to.equal(1);
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  it('admits exactly the burst if the rate does not divide a second into whole microseconds', async () => {
    for (const perSecond of [7, 60, 900]) {
      const record = await publish();
      const verdicts = await admit(record, many(60), { rate: { perSecond, burst: 60 } });
      expect(outcomes(verdicts), `${perSecond} a second`).to.deep.equal(Array(60).fill('admitted'));
      const left = verdicts.map((verdict) => 'rate' in verdict && verdict.rate.remaining);
      expect(left, `${perSecond} a second`).to.deep.equal(verdicts.map((_, i) => 59 - i));
    }
  });

  it('admits the burst, and other sources of the group, if the rate is above one request a microsecond', async () => {
    const record = await publish();
    const verdicts = await admit(record, many(4), { rate: { perSecond: 5_000_000, burst: 3 } });
    expect(outcomes(verdicts).slice(0, 3)).to.deep.equal(['admitted', 'admitted', 'admitted']);
    expect(verdicts[0]).to.have.nested.property('rate.remaining', 2);
  });

  it('shares one rate among all replicas', async () => {
    const record = await publish();
    const groups = await Promise.all(
      Array.from({ length: 10 }, () => admit(record, many(30), { rate: { perSecond: 1, burst: 100 } })),
    );
    expect(groups.flat().filter((verdict) => verdict.outcome === 'admitted')).to.have.length(100);
  });

  it('counts every signed request towards the rate, whatever its outcome, and returns the wait until one is free', async () => {
    const record = await publish();
    const rate = { perSecond: 0.01, burst: 3 };
    const repeated = action();
    await admit(record, [{ kind: 'refused' }], { rate });
    const verdicts = await admit(record, [repeated, repeated, action()], { rate });
    expect(outcomes(verdicts)).to.deep.equal(['admitted', 'duplicate', 'rate_limited']);
    // A slow machine has a second or two back by then.
    const [, last, over] = verdicts as [Verdict, Verdict & { rate: RateState }, Verdict];
    expect(last.rate.remaining).to.equal(0);
    expect(last.rate.resetSeconds).to.be.within(290, 300);
    expect('retryAfterSeconds' in over && over.retryAfterSeconds).to.be.within(90, 100);
  });

  it('returns the wait and the reset time in whole seconds that are long enough', async () => {
    const record = await publish();
    // Each is half a microsecond over two seconds, and is rounded in the sender's favour.
    const rate = { perSecond: 1_000_000 / 2_000_000.5, burst: 1 };
    const [first, second] = await admit(record, [action(), action()], { rate });
    expect(first).to.deep.include({ outcome: 'admitted', rate: { remaining: 0, resetSeconds: 2 } });
    expect(second).to.deep.include({ outcome: 'rate_limited', retryAfterSeconds: 2 });
    const other = await publish();
    const [third] = await admit(other, [action()], { rate: { perSecond: 2 / 3, burst: 1 } });
    expect(third).to.deep.include({ rate: { remaining: 0, resetSeconds: 2 } });
  });

  it('does not count requests to an inactive source towards its rate', async () => {
    const record = await publish({ active: false });
    const verdicts = await admit(record, many(3), { rate: { perSecond: 1, burst: 2 } });
    expect(verdicts).to.deep.equal(
      Array(3).fill({ outcome: 'inactive', rate: { remaining: 2, resetSeconds: 0 } }),
    );
  });
});
