import { createPublisher } from '@sluice/outbound/publish/publisher';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { expect } from 'chai';
import { until } from '../../support/until.ts';

const record = (id: string): PendingRecord => ({
  ...{ collection: 'events', id, account_id: 'acc_1' },
  changes: [],
});

describe('publishing: changes that wait in a process', () => {
  it('are left to the sweeper after 5 s, because others may have told them', async () => {
    const told: string[] = [];
    let [now, release] = [0, () => {}];
    const publisher = createPublisher({
      untold: { clearPublished: async () => true },
      leadHistory: { insertRows: async () => {}, deleteRows: async () => {} },
      auditLog: { insertEntries: async () => {} },
      leads: { erasedAmong: async () => new Set() },
      outbound: {
        erased: { eraseOutbound: async () => {} },
        async publishToLog(_accountId, records) {
          told.push(...records.map(({ id }) => id));
          if (told.length === 1)
            await new Promise<void>((resolve) => {
              release = resolve;
            });
          return { status: 'published' };
        },
      },
      onError: (error) => {
        throw error;
      },
      now: () => now,
    });
    publisher.publishSoon(record('evt_slow'));
    await new Promise(setImmediate);
    publisher.publishSoon(record('evt_old'));
    now = 4999;
    publisher.publishSoon(record('evt_young'));
    now = 5000;
    release();
    await publisher.settled();
    expect(told).to.deep.equal(['evt_slow', 'evt_young']);
  });

  it('are published while the changes before them are cleared', async () => {
    const told: string[] = [];
    let clear = (_: boolean) => {};
    const cleared = new Promise<boolean>((resolve) => {
      clear = resolve;
    });
    const publisher = createPublisher({
      untold: { clearPublished: () => cleared },
      leadHistory: { insertRows: async () => {}, deleteRows: async () => {} },
      auditLog: { insertEntries: async () => {} },
      leads: { erasedAmong: async () => new Set() },
      outbound: {
        erased: { eraseOutbound: async () => {} },
        async publishToLog(_accountId, records) {
          told.push(...records.map(({ id }) => id));
          return { status: 'published' };
        },
      },
      onError: (error) => {
        throw error;
      },
    });
    publisher.publishSoon(record('evt_1'));
    await until(() => told.length === 1);
    publisher.publishSoon(record('evt_2'));
    await until(() => told.length === 2);
    let isSettled = false;
    const settled = publisher.settled().then(() => {
      isSettled = true;
    });
    await new Promise(setImmediate);
    expect(isSettled, 'before the changes are cleared').to.equal(false);
    clear(true);
    await settled;
  });
});
