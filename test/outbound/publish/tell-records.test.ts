import type { ToldChange } from '@sluice/outbound/publish/ports';
import { createTellRecords } from '@sluice/outbound/publish/tell-records';
import type { UntoldRecord } from '@sluice/store/untold/untold-record';
import { expect } from 'chai';

const record = (id: string): UntoldRecord => ({
  ...{ collection: 'events', id, account_id: 'acc_1' },
  changes: [],
});

describe('telling: a change that could not be cleared', () => {
  /** Tells two events. Those in `still` were changed before they could be cleared. */
  async function forgottenAfter(still: readonly string[]): Promise<string[]> {
    const forgotten: ToldChange[] = [];
    const told = ['evt_1', 'evt_2'].map((recordId) => ({
      changeId: `c_${recordId}`,
      recordId,
      to: ['sub_1'],
    }));
    const tell = createTellRecords({
      untold: { clearTold: async () => still.length === 0, stillUntold: async () => new Set(still) },
      leadHistory: { insertRows: async () => {}, deleteRows: async () => {} },
      auditLog: { insertEntries: async () => {} },
      leads: { erasedAmong: async () => new Set() },
      outbound: {
        erased: { eraseOutbound: async () => {} },
        fanOut: async () => ({ status: 'fanned_out', told }),
        forgetLater: { add: (_accountId, some) => void forgotten.push(...some) },
      },
    });
    await tell('acc_1', [record('evt_1'), record('evt_2')]);
    return forgotten.map(({ changeId }) => changeId);
  }

  it('stays remembered by mailboxes, because it is told again', async () => {
    expect(await forgottenAfter([])).to.deep.equal(['c_evt_1', 'c_evt_2']);
    expect(await forgottenAfter(['evt_1'])).to.deep.equal(['c_evt_2']);
  });
});
