import { expect } from 'chai';
import { createGroupCommit } from '../../services/worker/src/apply/group-commit.ts';

/** Waits until all pending microtasks have run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs that end only when the test ends them. */
function heldRuns(limits: { maxItems?: number; maxWeight?: number; maxConcurrent?: number } = {}) {
  const runs: { readonly items: readonly number[]; readonly end: (error?: Error) => void }[] = [];
  const submit = createGroupCommit<number>({
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    weightOf: (item) => item,
    maxItems: 10,
    maxWeight: 100,
    maxConcurrent: 1,
    ...limits,
  });
  return { runs, submit, taken: () => runs.map(({ items }) => items) };
}

describe('worker: group commit', () => {
  it('runs a single item immediately, and the items that arrive meanwhile in the next run', async () => {
    const { runs, submit, taken } = heldRuns();
    const all = [1, 2, 3].map(submit);
    expect(taken()).to.deep.equal([[1]]);
    runs[0]?.end();
    await turn();
    expect(taken()).to.deep.equal([[1], [2, 3]]);
    runs[1]?.end();
    await Promise.all(all);
  });

  it('starts a second concurrent run once more than half a run is waiting, but never a third', async () => {
    const { runs, submit, taken } = heldRuns({ maxConcurrent: 2, maxItems: 4 });
    const all = [1, 2, 3].map(submit);
    expect(taken()).to.deep.equal([[1]]);
    all.push(...[4, 5, 6, 7].map(submit));
    expect(taken()).to.deep.equal([[1], [2, 3, 4]]);
    runs[1]?.end();
    await turn();
    expect(taken()).to.deep.equal([[1], [2, 3, 4], [5, 6, 7]]);
    runs[0]?.end();
    runs[2]?.end();
    await Promise.all(all);
  });

  it('never exceeds the limit of concurrent runs, however many have ended', async () => {
    const { runs, submit } = heldRuns({ maxConcurrent: 2, maxItems: 1 });
    const ended = new Set<number>();
    const all = Array.from({ length: 6 }, (_, i) => submit(i));
    for (let i = 0; i < 6; i++) {
      // At the end, too few items wait for a second run.
      expect(runs.length - ended.size).to.equal(i < 4 ? 2 : 1);
      runs[i]?.end();
      ended.add(i);
      await turn();
    }
    await Promise.all(all);
  });

  it('also measures half a run by weight', async () => {
    const { runs, submit, taken } = heldRuns({ maxConcurrent: 2, maxWeight: 100 });
    const all = [30, 30, 30].map(submit);
    expect(taken()).to.deep.equal([[30], [30, 30]]);
    for (const { end } of runs) end();
    await Promise.all(all);
  });

  it('runs a few waiting items when the current run ends', async () => {
    const { runs, submit, taken } = heldRuns({ maxConcurrent: 2 });
    const all = [1, 2].map(submit);
    runs[0]?.end();
    await turn();
    expect(taken()).to.deep.equal([[1], [2]]);
    runs[1]?.end();
    await Promise.all(all);
  });

  it('never exceeds the limits of a run, except for a single item that is larger', async () => {
    const { runs, submit, taken } = heldRuns({ maxItems: 2, maxWeight: 10 });
    const all = [1, 2, 3, 4, 50, 6, 5].map(submit);
    for (let i = 0; i < 6; i++) {
      runs[i]?.end();
      await turn();
    }
    await Promise.all(all);
    expect(taken()).to.deep.equal([[1], [2, 3], [4], [50], [6], [5]]);
  });

  it('rejects only the items of a failed run, and continues with the next run', async () => {
    const { runs, submit } = heldRuns();
    const all = [1, 2, 3].map(submit);
    const outcomes = Promise.allSettled(all);
    const away = new Error('MongoDB is away');
    runs[0]?.end(away);
    await turn();
    runs[1]?.end();
    expect(await outcomes).to.deep.equal([
      { status: 'rejected', reason: away },
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: undefined },
    ]);
  });
});
