import { expect } from 'chai';
import { inBatches } from '../../services/api/src/batches/in-batches.ts';
import { until } from '../support/until.ts';

describe('batches of concurrent reads and writes', () => {
  /** Batches under way, each with its end. */
  function useBatches(settings: { patienceMs?: number; maxItems?: number } = {}) {
    const begun: {
      items: readonly number[];
      end: (results: string[]) => void;
      fail: (error: Error) => void;
    }[] = [];
    const ask = inBatches<number, string>({
      run: (items) =>
        new Promise((resolve, reject) => {
          begun.push({ items, end: resolve, fail: reject });
        }),
      maxItems: 3,
      patienceMs: 60_000,
      ...settings,
    });
    return { begun, ask };
  }

  it('runs items of one turn together, and gives each its own result', async () => {
    const { begun, ask } = useBatches();
    const results = Promise.all([ask(1), ask(2)]);
    await until(() => begun.length === 1);
    expect(begun[0]?.items).to.deep.equal([1, 2]);
    begun[0]?.end(['one', 'two']);
    expect(await results).to.deep.equal(['one', 'two']);
  });

  it('never answers an item from a batch that began before it arrived', async () => {
    const { begun, ask } = useBatches();
    const first = ask(1);
    await until(() => begun.length === 1);
    const second = ask(1);
    begun[0]?.end(['before']);
    expect(await first).to.equal('before');
    await until(() => begun.length === 2);
    begun[1]?.end(['after']);
    expect(await second).to.equal('after');
  });

  it('collects the items that arrive during a batch, up to the limit of one batch', async () => {
    const { begun, ask } = useBatches();
    void ask(1);
    await until(() => begun.length === 1);
    for (const item of [2, 3, 4, 5]) void ask(item);
    begun[0]?.end(['']);
    await until(() => begun.length === 2);
    expect(begun[1]?.items).to.deep.equal([2, 3, 4]);
    begun[1]?.end(['', '', '']);
    await until(() => begun.length === 3);
    expect(begun[2]?.items).to.deep.equal([5]);
  });

  it('does not wait longer for a batch than its patience', async () => {
    const { begun, ask } = useBatches({ patienceMs: 10 });
    const frozen = ask(1);
    await until(() => begun.length === 1);
    const next = ask(2);
    await until(() => begun.length === 2);
    begun[1]?.end(['in time']);
    expect(await next).to.equal('in time');
    begun[0]?.end(['late']);
    expect(await frozen).to.equal('late');
  });

  it('rejects every item of a batch that fails, and runs the next one', async () => {
    const { begun, ask } = useBatches();
    const failing = Promise.allSettled([ask(1), ask(2)]);
    await until(() => begun.length === 1);
    begun[0]?.fail(new Error('away'));
    expect((await failing).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    const next = ask(3);
    await until(() => begun.length === 2);
    begun[1]?.end(['back']);
    expect(await next).to.equal('back');
  });
});
