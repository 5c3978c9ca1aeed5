import { coalesced } from '@sluice/store/writing/coalesced';
import { expect } from 'chai';

describe('store: shared round trips', () => {
  it('handle all that arrives during a run together in the next one', async () => {
    const runs: number[][] = [];
    let end = (): void => {};
    const submit = coalesced<number, number>(async (items) => {
      runs.push([...items]);
      if (runs.length === 1) await new Promise<void>((resolve) => (end = resolve));
      return runs.length;
    });
    const first = Promise.all([submit([1]), submit([2])]);
    await new Promise(setImmediate);
    const next = Promise.all([submit([3, 4]), submit([5])]);
    await new Promise(setImmediate);
    expect(runs).to.deep.equal([[1, 2]]);
    end();
    expect(await first).to.deep.equal([1, 1]);
    expect(await next).to.deep.equal([2, 2]);
    expect(runs).to.deep.equal([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('are bounded, and a single large submission is never divided', async () => {
    const sizes: number[] = [];
    const submit = coalesced<number, void>(async (items) => {
      sizes.push(items.length);
    });
    const many = (length: number) => Array.from({ length }, (_, i) => i);
    await Promise.all([submit(many(600)), submit(many(600)), submit(many(2500)), submit(many(1))]);
    expect(sizes).to.deep.equal([600, 600, 2500, 1]);
  });

  it('fail those of a failed run only', async () => {
    let fail = true;
    const submit = coalesced<number, string>(async () => {
      if (fail) throw new Error('away');
      return 'done';
    });
    const failed = await submit([1]).catch((error) => (error as Error).message);
    expect(failed).to.equal('away');
    fail = false;
    expect(await submit([2])).to.equal('done');
  });
});
