import type { UntoldRecord } from '@sluice/store/untold-record';
import { createTeller } from '@sluice/telling/teller';
import { expect } from 'chai';

const record = (id: string): UntoldRecord => ({
  ...{ collection: 'events', id, account_id: 'acc_1' },
  changes: [],
});

describe('telling: changes that wait in a process', () => {
  it('are left to the sweeper after 5 s, because others may have told them', async () => {
    const told: string[] = [];
    let [now, release] = [0, () => {}];
    const teller = createTeller({
      untold: { clearTold: async () => true, stillUntold: async () => new Set() },
      leadHistory: { insertRows: async () => {}, deleteRows: async () => {} },
      leads: { erasedAmong: async () => new Set() },
      outbound: {
        erased: { eraseOutbound: async () => {} },
        async fanOut(_accountId, records) {
          told.push(...records.map(({ id }) => id));
          if (told.length === 1)
            await new Promise<void>((resolve) => {
              release = resolve;
            });
          return { status: 'fanned_out', told: [] };
        },
        forgetLater: { add: () => {} },
      },
      onError: (error) => {
        throw error;
      },
      now: () => now,
    });
    teller.told(record('evt_slow'));
    await new Promise(setImmediate);
    teller.told(record('evt_old'));
    now = 4999;
    teller.told(record('evt_young'));
    now = 5000;
    release();
    await teller.settled();
    expect(told).to.deep.equal(['evt_slow', 'evt_young']);
  });
});
