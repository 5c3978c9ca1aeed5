import type { PublishedChange } from '@sluice/outbound/publish/ports';
import { createPublishRecords } from '@sluice/outbound/publish/publish-records';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { expect } from 'chai';

const record = (id: string): PendingRecord => ({
  ...{ collection: 'events', id, account_id: 'acc_1' },
  changes: [],
});

describe('publishing: a change that could not be cleared', () => {
  /** Publishes two events. Those in `still` were changed before they could be cleared. */
  async function forgottenAfter(still: readonly string[]): Promise<string[]> {
    const forgotten: PublishedChange[] = [];
    const published = ['evt_1', 'evt_2'].map((recordId) => ({
      changeId: `c_${recordId}`,
      recordId,
      to: ['sub_1'],
    }));
    const tell = createPublishRecords({
      untold: { clearPublished: async () => still.length === 0, stillPending: async () => new Set(still) },
      leadHistory: { insertRows: async () => {}, deleteRows: async () => {} },
      auditLog: { insertEntries: async () => {} },
      leads: { erasedAmong: async () => new Set() },
      outbound: {
        erased: { eraseOutbound: async () => {} },
        fanOut: async () => ({ status: 'fanned_out', published }),
        forgetLater: { add: (_accountId, some) => void forgotten.push(...some) },
      },
    });
    await tell('acc_1', [record('evt_1'), record('evt_2')]);
    return forgotten.map(({ changeId }) => changeId);
  }

  it('stays remembered by mailboxes, because it is published again', async () => {
    expect(await forgottenAfter([])).to.deep.equal(['c_evt_1', 'c_evt_2']);
    expect(await forgottenAfter(['evt_1'])).to.deep.equal(['c_evt_2']);
  });
});
