import { expect } from 'chai';
import { createHoldSources } from '../../services/worker/src/wait/hold-sources.ts';

describe('worker: sources whose actions wait', () => {
  const NOW = 1_800_000_000_000;
  const from = (source_id: string, waitedMs: number) => ({
    ...{ account_id: 'acc_1', source_id, received_at: NOW - waitedMs },
  });

  it('are held once an action waits for 5 seconds, at most every 2 seconds', () => {
    const held: string[] = [];
    let now = NOW;
    const holdSources = createHoldSources({
      hold: async ({ account_id, source_id }) => void held.push(`${account_id} ${source_id}`),
      onError: () => undefined,
      now: () => now,
    });
    holdSources([from('src_young', 4999), from('src_old', 5000), from('src_old', 6000)]);
    expect(held).to.deep.equal(['acc_1 src_old']);
    now += 1999;
    holdSources([from('src_old', 5000)]);
    expect(held).to.have.length(1);
    now += 1;
    holdSources([from('src_old', 5000)]);
    expect(held).to.deep.equal(['acc_1 src_old', 'acc_1 src_old']);
  });

  it('are reported if they cannot be held', async () => {
    const error = new Error('Redis is away');
    const errors: unknown[] = [];
    const holdSources = createHoldSources({
      hold: () => Promise.reject(error),
      onError: (one) => errors.push(one),
      now: () => NOW,
    });
    holdSources([from('src_1', 5000)]);
    await Promise.resolve();
    await Promise.resolve();
    expect(errors).to.deep.equal([error]);
  });
});
