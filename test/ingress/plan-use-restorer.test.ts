import { createPlanUseRestorer } from '@sluice/ingress/verify/plan-use-restorer';
import { expect } from 'chai';
import { sourceRecord } from '../support/source-record.ts';

const source = (source_id: string, account_id: string, plan = 'pro') =>
  sourceRecord({ source_id, account_id, plan });

describe('ingress: restoring the use of a plan after Redis was away', () => {
  function create(count: () => Promise<void> = async () => {}) {
    const counted: string[] = [];
    let month = 11;
    const restorer = createPlanUseRestorer({
      count({ account_id }) {
        counted.push(account_id);
        return count();
      },
      now: () => Date.UTC(2026, month - 1, 3),
    });
    const nextMonth = () => {
      month += 1;
    };
    return { restorer, counted, nextMonth };
  }

  it('counts an account once, however many of its sources ask', async () => {
    const { restorer, counted } = create();
    const sources = [source('a', 'acc_1'), source('b', 'acc_1'), source('c', 'acc_2')];
    await Promise.all(sources.map(restorer.restore));
    await restorer.restore(source('d', 'acc_1'));
    expect(counted).to.deep.equal(['acc_1', 'acc_2']);
  });

  it('counts again after Redis was away, with another plan, in another month and after a failure', async () => {
    let fails = true;
    const { restorer, counted, nextMonth } = create(async () => {
      if (fails) throw new Error('MongoDB is away');
    });
    const failure = await restorer.restore(source('a', 'acc_1')).catch((error: Error) => error.message);
    expect(failure).to.equal('MongoDB is away');
    fails = false;
    await restorer.restore(source('a', 'acc_1'));
    restorer.forget();
    await restorer.restore(source('a', 'acc_1'));
    await restorer.restore(source('a', 'acc_1', 'free'));
    nextMonth();
    await restorer.restore(source('a', 'acc_1'));
    expect(counted).to.have.length(5);
  });
});
