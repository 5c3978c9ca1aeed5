import { expect } from 'chai';
import { createGroupCommit } from '../../services/worker/src/apply/group-commit.ts';

/** Until everything that follows at once has happened. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs that end when they are told to. */
function heldRuns(limits: { maxItems?: number; maxWeight?: number; abreast?: number } = {}) {
  const runs: { readonly items: readonly number[]; readonly end: (error?: Error) => void }[] = [];
  const submit = createGroupCommit<number>({
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
    weightOf: (item) => item,
    maxItems: 10,
    maxWeight: 100,
    abreast: 1,
    ...limits,
  });
  return { runs, submit, taken: () => runs.map(({ items }) => items) };
}

describe('worker: groups that are applied together', () => {
  it('one alone waits for nothing; what comes meanwhile goes through the next run as one', async () => {
    const { runs, submit, taken } = heldRuns();
    const all = [1, 2, 3].map(submit);
    expect(taken()).to.deep.equal([[1]]);
    runs[0]?.end();
    await turn();
    expect(taken()).to.deep.equal([[1], [2, 3]]);
    runs[1]?.end();
    await Promise.all(all);
  });

  it('a second run begins beside the first once more waits than half of what it may hold, and no third', async () => {
    const { runs, submit, taken } = heldRuns({ abreast: 2, maxItems: 4 });
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

  it('never more runs are under way than may be, however many have ended', async () => {
    const { runs, submit } = heldRuns({ abreast: 2, maxItems: 1 });
    const ended = new Set<number>();
    const all = Array.from({ length: 6 }, (_, i) => submit(i));
    for (let i = 0; i < 6; i++) {
      // At the last, too little waits for two.
      expect(runs.length - ended.size).to.equal(i < 4 ? 2 : 1);
      runs[i]?.end();
      ended.add(i);
      await turn();
    }
    await Promise.all(all);
  });

  it('half of what a run may hold is half of its weight, too', async () => {
    const { runs, submit, taken } = heldRuns({ abreast: 2, maxWeight: 100 });
    const all = [30, 30, 30].map(submit);
    expect(taken()).to.deep.equal([[30], [30, 30]]);
    for (const { end } of runs) end();
    await Promise.all(all);
  });

  it('what little waits beside a run goes when it ends', async () => {
    const { runs, submit, taken } = heldRuns({ abreast: 2 });
    const all = [1, 2].map(submit);
    runs[0]?.end();
    await turn();
    expect(taken()).to.deep.equal([[1], [2]]);
    runs[1]?.end();
    await Promise.all(all);
  });

  it('no run is larger than it may be; what is too large by itself goes alone', async () => {
    const { runs, submit, taken } = heldRuns({ maxItems: 2, maxWeight: 10 });
    const all = [1, 2, 3, 4, 50, 6, 5].map(submit);
    for (let i = 0; i < 6; i++) {
      runs[i]?.end();
      await turn();
    }
    await Promise.all(all);
    expect(taken()).to.deep.equal([[1], [2, 3], [4], [50], [6], [5]]);
  });

  it('a run that fails fails for those that were in it, and the next one goes on', async () => {
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
