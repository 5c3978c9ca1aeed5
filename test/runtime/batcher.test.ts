import { setImmediate as endOfTurn } from 'node:timers/promises';
import { type BatcherOptions, batchLists, createBatcher } from '@sluice/runtime/timing/batcher';
import { expect } from 'chai';

interface Run {
  readonly items: readonly number[];
  end(): void;
  fail(error: Error): void;
}

/** A batcher whose runs the test ends. */
function controlled(options: Partial<BatcherOptions<number, string>> = {}) {
  const runs: Run[] = [];
  const arrivals: (() => void)[] = [];
  const batcher = createBatcher<number, string>({
    run: (items) =>
      new Promise((resolve, reject) => {
        runs.push({ items, end: () => resolve(items.map(done)), fail: reject });
        for (const arrive of arrivals.splice(0)) arrive();
      }),
    maxItems: 100,
    ...options,
  });
  const nextRun = async (index: number): Promise<Run> => {
    while (runs.length <= index) await new Promise<void>((resolve) => arrivals.push(resolve));
    return runs[index] as Run;
  };
  return { batcher, submit: (item: number) => batcher.submit(item), runs, nextRun };
}

const done = (item: number): string => `done ${item}`;
const late = { result: 'late', maxWaiting: 1000 };

describe('batcher', () => {
  it('runs a single item at the end of its turn, and what arrives meanwhile in the next run, in order', async () => {
    const { submit, nextRun, runs } = controlled();
    const results = [submit(1)];
    const first = await nextRun(0);
    results.push(...[2, 3, 4].map(submit));
    first.end();
    (await nextRun(1)).end();
    expect(await Promise.all(results)).to.deep.equal([1, 2, 3, 4].map(done));
    expect(runs.map(({ items }) => items)).to.deep.equal([[1], [2, 3, 4]]);
  });

  it('adds items of the turn in which a run ends to the next one', async () => {
    const { submit, nextRun } = controlled();
    const results = [submit(1)];
    const first = await nextRun(0);
    results.push(submit(2));
    // Two timers fire in one turn, just as two sockets are read in one turn.
    setTimeout(() => first.end());
    setTimeout(() => results.push(submit(3)));
    const second = await nextRun(1);
    expect(second.items).to.deep.equal([2, 3]);
    second.end();
    expect(await Promise.all(results)).to.deep.equal([1, 2, 3].map(done));
  });

  it('limits a batch by items and size, but always runs at least one item', async () => {
    const { submit, nextRun, runs } = controlled({ maxItems: 3, sizeOf: (item) => item, maxSize: 100 });
    const results = [500, 40, 40, 40, 1, 1, 1, 1].map(submit);
    for (let i = 0; i < 4; i++) (await nextRun(i)).end();
    await Promise.all(results);
    expect(runs.map(({ items }) => items.length)).to.deep.equal([1, 2, 3, 2]);
  });

  it('rejects only the items of a failed run, and continues with the next one', async () => {
    const { submit, nextRun } = controlled();
    const away = new Error('MongoDB is away');
    const failing = submit(1);
    const first = await nextRun(0);
    const other = submit(2);
    first.fail(away);
    expect(await failing.catch((error) => error)).to.equal(away);
    (await nextRun(1)).end();
    expect(await other).to.equal('done 2');
  });

  it('rejects the items of a run that throws at once', async () => {
    const { submit, batcher } = controlled({
      run: () => {
        throw new Error('a bug');
      },
    });
    expect(await submit(1).catch(({ message }) => message)).to.equal('a bug');
    await batcher.idle();
  });

  it('settles a large batch in several turns of the event loop, in order, and is idle after that', async () => {
    const items = Array.from({ length: 1000 }, (_, i) => i);
    const { batcher, submit, nextRun } = controlled({ maxItems: items.length });
    const settled: number[] = [];
    for (const item of items) void submit(item).then(() => settled.push(item));
    (await nextRun(0)).end();
    const byTurn: number[] = [];
    const idle = batcher.idle().then(() => settled.length);
    while (settled.length < items.length) {
      const before = settled.length;
      await endOfTurn();
      byTurn.push(settled.length - before);
    }
    expect(Math.max(...byTurn)).to.be.at.most(2 * 64);
    expect(settled).to.deep.equal(items);
    expect(await idle).to.equal(items.length);
  });

  it('is idle once every item has its result', async () => {
    const { batcher, submit, nextRun } = controlled();
    let isIdle = false;
    void submit(1);
    const idle = batcher.idle().then(() => {
      isIdle = true;
    });
    const run = await nextRun(0);
    await endOfTurn();
    expect(isIdle).to.equal(false);
    run.end();
    await idle;
  });

  describe('with concurrent runs', () => {
    const unlimited = Number.POSITIVE_INFINITY;

    it('begins a batch while others are under way, and splits the items of one turn by the limit', async () => {
      const { submit, runs } = controlled({ maxItems: 3, maxRunning: unlimited });
      const results = [1, 2, 3, 4].map(submit);
      await endOfTurn();
      results.push(submit(5));
      await endOfTurn();
      expect(runs.map(({ items }) => items)).to.deep.equal([[1, 2, 3], [4], [5]]);
      runs[2]?.end();
      expect(await results[4]).to.equal('done 5');
    });

    it('begins a second run only once a given share of a batch waits, and never a third', async () => {
      const { submit, nextRun, runs } = controlled({ maxRunning: 2, besideFrom: 0.5, maxItems: 4 });
      const results = [submit(1)];
      await nextRun(0);
      results.push(...[2, 3].map(submit));
      await endOfTurn();
      await endOfTurn();
      expect(runs).to.have.length(1);
      results.push(...[4, 5, 6, 7, 8].map(submit));
      expect((await nextRun(1)).items).to.deep.equal([2, 3, 4, 5]);
      await endOfTurn();
      await endOfTurn();
      expect(runs).to.have.length(2);
      runs[1]?.end();
      await results[1];
      runs[0]?.end();
      (await nextRun(2)).end();
      expect(await Promise.all(results)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8].map(done));
    });

    it('measures that share by size too', async () => {
      const limits = { sizeOf: (item: number) => item, maxSize: 100 };
      const { submit, nextRun } = controlled({ maxRunning: 2, besideFrom: 0.5, ...limits });
      void submit(30);
      await nextRun(0);
      for (const item of [30, 30]) void submit(item);
      expect((await nextRun(1)).items).to.deep.equal([30, 30]);
    });
  });

  it('begins the first run at once, and later ones apart by the given time', async () => {
    const { submit, nextRun } = controlled({ apartMs: 200 });
    const results = [submit(1)];
    const begunAt: number[] = [];
    for (let i = 0; i < 3; i++) {
      const run = await nextRun(i);
      begunAt.push(performance.now());
      results.push(submit(10 * i), submit(10 * i + 1));
      run.end();
    }
    const last = await nextRun(3);
    last.end();
    await Promise.all(results);
    expect(last.items).to.deep.equal([20, 21]);
    const [first, second, third] = begunAt as [number, number, number];
    // A timer may fire up to a millisecond early by this clock.
    expect(second - first).to.be.at.least(195);
    expect(third - second).to.be.at.least(195);
  });

  it('waits while further items are about to arrive', async () => {
    let arrive = (): void => undefined;
    const gather = () => new Promise<void>((resolve) => (arrive = resolve));
    const { submit, nextRun, runs } = controlled({ gather });
    const results = [submit(1)];
    await endOfTurn();
    await endOfTurn();
    expect(runs).to.be.empty;
    results.push(submit(2));
    arrive();
    (await nextRun(0)).end();
    expect(await Promise.all(results)).to.deep.equal([1, 2].map(done));
  });

  describe('with deadlines', () => {
    const soon = () => performance.now() + 100;

    it('settles items by their deadline, and does not run them later', async () => {
      const { batcher, nextRun, runs } = controlled({ late });
      const inFlight = batcher.submit(1, soon());
      const hanging = await nextRun(0);
      const waiting = batcher.submit(2, soon());
      expect(await Promise.all([inFlight, waiting])).to.deep.equal(['late', 'late']);
      hanging.end();
      await batcher.idle();
      expect(runs).to.have.length(1);
    });

    it('settles items by their deadline also after it was idle', async () => {
      const { batcher, nextRun } = controlled({ late });
      const first = batcher.submit(1, soon());
      (await nextRun(0)).end();
      expect(await first).to.equal('done 1');
      await batcher.idle();
      const second = batcher.submit(2, soon());
      const hanging = await nextRun(1);
      expect(await second).to.equal('late');
      hanging.end();
      await batcher.idle();
    });

    it('settles items at once if too many wait', async () => {
      const { submit, nextRun } = controlled({ late: { ...late, maxWaiting: 2 } });
      const first = submit(1);
      const run = await nextRun(0);
      const [second, third, fourth] = [submit(2), submit(3), submit(4)];
      expect(await fourth).to.equal('late');
      run.end();
      (await nextRun(1)).end();
      expect(await Promise.all([first, second, third])).to.deep.equal([1, 2, 3].map(done));
    });
  });
});

describe('batches of lists', () => {
  it('handle the lists of several submissions as one, which has one result', async () => {
    const runs: number[][] = [];
    const submit = batchLists<number, number>(async (items) => runs.push([...items]));
    expect(await Promise.all([submit([1]), submit([2, 3])])).to.deep.equal([1, 1]);
    expect(runs).to.deep.equal([[1, 2, 3]]);
  });

  it('are bounded, and a single large list is never divided', async () => {
    const sizes: number[] = [];
    const submit = batchLists<number, number>(async (items) => sizes.push(items.length));
    const many = (length: number) => Array.from({ length }, (_, i) => i);
    await Promise.all([submit(many(600)), submit(many(600)), submit(many(2500)), submit(many(1))]);
    expect(sizes).to.deep.equal([600, 600, 2500, 1]);
  });
});
