import { createWaitingOnLog } from '@sluice/outbound/log/waiting';
import { expect } from 'chai';
import { subscription } from '../directory/support/use-directory.ts';

describe('what waits for a subscription', () => {
  it('is at least one message where only a part of a long log was looked at', async () => {
    const place = {
      subscription: subscription(),
      after: 5_000_000,
      upTo: 9_000_000,
      leaseMs: null,
      dueAt: null,
    };
    const waiting = createWaitingOnLog({
      readPlaces: async () => new Map([['sub_1', place]]) as never,
      changes: {
        countFitting: async () => ({ count: 0, first: null, isCut: true }),
        newestFitting: async () => [],
      },
      messages: {
        countPending: async () => 0,
        oldestPending: async () => null,
        countBeyond: async () => 0,
      } as never,
      requests: {} as never,
    } as never);
    const [status] = await waiting.status('acc_1', ['sub_1']);
    expect(status).to.include({ waiting: 1, waitingSince: 5_000 });
  });
});
