import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { inBatches } from '../../services/api/src/batches/in-batches.ts';

interface Begun {
  readonly items: readonly number[];
  readonly end: (results: string[]) => void;
  readonly fail: (error: Error) => void;
}

describe('batches of concurrent reads and writes', () => {
  /** Batches under way, each with its end. */
  function useBatches() {
    const begun: Begun[] = [];
    const run = (items: readonly number[]) =>
      new Promise<string[]>((resolve, reject) => {
        begun.push({ items, end: resolve, fail: reject });
      });
    return { begun, ask: inBatches<number, string>({ run, maxItems: 3 }) };
  }

  it('runs the items of one turn together, and gives each its own result', async () => {
    const { begun, ask } = useBatches();
    const results = Promise.all([ask(1), ask(2)]);
    await endOfTurn();
    expect(begun.map(({ items }) => items)).to.deep.equal([[1, 2]]);
    begun[0]?.end(['one', 'two']);
    expect(await results).to.deep.equal(['one', 'two']);
  });

  it('never answers an item from a batch that began before it arrived', async () => {
    const { begun, ask } = useBatches();
    const first = ask(1);
    await endOfTurn();
    const second = ask(1);
    begun[0]?.end(['before']);
    expect(await first).to.equal('before');
    await endOfTurn();
    begun[1]?.end(['after']);
    expect(await second).to.equal('after');
  });

  it('splits the items of one turn that are more than a batch may have', async () => {
    const { begun, ask } = useBatches();
    for (const item of [1, 2, 3, 4]) void ask(item);
    await endOfTurn();
    expect(begun.map(({ items }) => items)).to.deep.equal([[1, 2, 3], [4]]);
  });

  it('begins the next batch while one is still under way', async () => {
    const { begun, ask } = useBatches();
    void ask(1);
    await endOfTurn();
    const next = ask(2);
    await endOfTurn();
    begun[1]?.end(['in time']);
    expect(await next).to.equal('in time');
  });

  it('rejects every item of a batch that fails, and runs the next one', async () => {
    const { begun, ask } = useBatches();
    const failing = Promise.allSettled([ask(1), ask(2)]);
    await endOfTurn();
    begun[0]?.fail(new Error('away'));
    expect((await failing).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    const next = ask(3);
    await endOfTurn();
    begun[1]?.end(['back']);
    expect(await next).to.equal('back');
  });
});
