import { createForgetLater } from '@sluice/outbound/publish/forget-later';
import { expect } from 'chai';
import { until } from '../../support/until.ts';

const told = (...ids: string[]) => ids.map((changeId) => ({ changeId, recordId: 'evt_1', to: ['sub_1'] }));

describe('publishing: what mailboxes remember', () => {
  function setUp(afterMs: number, mostWaiting?: number) {
    const forgotten: { accountId: string; ids: string[]; at: number }[] = [];
    const later = createForgetLater({
      ...{ afterMs, ...(mostWaiting !== undefined && { mostWaiting }) },
      mailboxes: {
        async forget(accountId, changes) {
          forgotten.push({ accountId, ids: changes.map(({ changeId }) => changeId), at: performance.now() });
          if (accountId === 'acc_away') throw new Error('Redis is away');
        },
      },
    });
    return { forgotten, later };
  }

  it('is forgotten some time after it was cleared, not at once', async () => {
    const { forgotten, later } = setUp(100);
    const since = performance.now();
    later.add('acc_1', told('one'));
    later.add('acc_1', told('two'));
    await until(async () => forgotten.length > 0);
    expect(forgotten[0]?.ids).to.deep.equal(['one', 'two']);
    expect((forgotten[0]?.at ?? 0) - since).to.be.at.least(95);
    await later.close();
  });

  it('is forgotten early beyond a limit: the oldest, and none that was cleared a moment ago', async () => {
    const { forgotten, later } = setUp(60_000, 20);
    const ids = Array.from({ length: 50 }, (_, n) => `c${n}`);
    for (const id of ids) later.add('acc_1', told(id));
    await until(async () => forgotten.length > 9);
    const early = forgotten.flatMap((one) => one.ids);
    expect(early).to.deep.equal(ids.slice(0, early.length));
    expect(early).to.have.length.within(30, 32);
    await later.close();
    expect(forgotten.flatMap((one) => one.ids)).to.deep.equal(ids);
  });

  it('is forgotten at the end of the process, and an error stops nothing', async () => {
    const { forgotten, later } = setUp(60_000);
    later.add('acc_away', told('one'));
    later.add('acc_2', told('two'));
    await later.close();
    expect(forgotten.map(({ accountId }) => accountId)).to.deep.equal(['acc_away', 'acc_2']);
  });
});
