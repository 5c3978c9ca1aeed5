import { type Committed, createGroupCommit } from '@sluice/ingress/group-commit/group-commit';
import { expect } from 'chai';

interface Commit {
  readonly items: readonly number[];
  resolve(): void;
  reject(error: Error): void;
}

/** A group commit whose commits the test ends. */
function controlled(
  limits: Partial<{ maxItems: number; maxBytes: number; maxWaiting: number; apartMs: number }> = {},
) {
  const commits: Commit[] = [];
  const arrivals: (() => void)[] = [];
  const errors: unknown[] = [];
  const group = createGroupCommit<number, string>({
    commit: (items) =>
      new Promise((resolve, reject) => {
        commits.push({ items, resolve: () => resolve(items.map((item) => `done ${item}`)), reject });
        for (const arrive of arrivals.splice(0)) arrive();
      }),
    bytesOf: (item) => item,
    onError: (error) => errors.push(error),
    maxItems: 100,
    maxBytes: 1_000_000,
    maxWaiting: 1000,
    ...limits,
  });
  const nextCommit = async (index: number): Promise<Commit> => {
    while (commits.length <= index) await new Promise<void>((resolve) => arrivals.push(resolve));
    return commits[index] as Commit;
  };
  const submit = (item: number, withinMs = 5_000) => group.submit(item, performance.now() + withinMs);
  return { group, submit, commits, nextCommit, errors };
}

const committed = (item: number): Committed<string> => ({ status: 'committed', result: `done ${item}` });

describe('group commit', () => {
  it('commits a single item at once', async () => {
    const { submit, nextCommit } = controlled();
    const answer = submit(1);
    (await nextCommit(0)).resolve();
    expect(await answer).to.deep.equal(committed(1));
  });

  it('commits all items that arrive during a commit with the next one, in order', async () => {
    const { submit, nextCommit, commits } = controlled();
    const answers = [submit(1)];
    const first = await nextCommit(0);
    for (const item of [2, 3, 4]) answers.push(submit(item));
    first.resolve();
    const second = await nextCommit(1);
    expect(second.items).to.deep.equal([2, 3, 4]);
    second.resolve();
    expect(await Promise.all(answers)).to.deep.equal([1, 2, 3, 4].map(committed));
    expect(commits).to.have.length(2);
  });

  it('adds items of the turn in which a commit ends to the next one', async () => {
    const { submit, nextCommit } = controlled();
    const answers = [submit(1)];
    const first = await nextCommit(0);
    answers.push(submit(2));
    // Two timers fire in one turn, just as two sockets are read in one turn.
    setTimeout(() => first.resolve());
    setTimeout(() => answers.push(submit(3)));
    const second = await nextCommit(1);
    expect(second.items).to.deep.equal([2, 3]);
    second.resolve();
    expect(await Promise.all(answers)).to.deep.equal([1, 2, 3].map(committed));
  });

  it('limits a group by items and bytes, but always commits at least one item', async () => {
    const { submit, nextCommit } = controlled({ maxItems: 3, maxBytes: 100 });
    const answers = [500, 40, 40, 40, 1, 1, 1, 1].map((item) => submit(item));
    const sizes: number[] = [];
    for (let i = 0; i < 4; i++) {
      const commit = await nextCommit(i);
      sizes.push(commit.items.length);
      commit.resolve();
    }
    await Promise.all(answers);
    expect(sizes).to.deep.equal([1, 2, 3, 2]);
  });

  it('settles a whole failed group as unavailable, and continues with the next', async () => {
    const { submit, nextCommit, errors } = controlled();
    const lost = submit(1);
    (await nextCommit(0)).reject(new Error('Redis is away'));
    expect(await lost).to.deep.equal({ status: 'unavailable' });
    expect(errors).to.have.length(1);
    const kept = submit(2);
    (await nextCommit(1)).resolve();
    expect(await kept).to.deep.equal(committed(2));
  });

  it('settles items by their deadline, and does not commit them later', async () => {
    const { group, submit, nextCommit, commits } = controlled();
    const inFlight = submit(1, 100);
    const hanging = await nextCommit(0);
    const waiting = submit(2, 100);
    expect(await inFlight).to.deep.equal({ status: 'unavailable' });
    expect(await waiting).to.deep.equal({ status: 'unavailable' });
    hanging.resolve();
    await group.idle();
    expect(commits).to.have.length(1);
  });

  it('settles items by their deadline also after it was idle', async () => {
    const { group, submit, nextCommit } = controlled();
    const first = submit(1);
    (await nextCommit(0)).resolve();
    expect(await first).to.deep.equal(committed(1));
    await group.idle();
    const late = submit(2, 100);
    const hanging = await nextCommit(1);
    expect(await late).to.deep.equal({ status: 'unavailable' });
    hanging.resolve();
    await group.idle();
  });

  it('rejects items at once if too many wait', async () => {
    const { submit, nextCommit } = controlled({ maxWaiting: 2 });
    const first = submit(1);
    const commit = await nextCommit(0);
    const [second, third, fourth] = [submit(2), submit(3), submit(4)];
    expect(await fourth).to.deep.equal({ status: 'unavailable' });
    commit.resolve();
    (await nextCommit(1)).resolve();
    expect(await Promise.all([first, second, third])).to.deep.equal([1, 2, 3].map(committed));
  });

  it('begins the first group at once, and later ones apart by the given time', async () => {
    const { submit, nextCommit } = controlled({ apartMs: 200 });
    const answers = [submit(1)];
    const beganAt: number[] = [];
    for (let i = 0; i < 3; i++) {
      const commit = await nextCommit(i);
      beganAt.push(performance.now());
      answers.push(submit(10 * i), submit(10 * i + 1));
      commit.resolve();
    }
    const last = await nextCommit(3);
    last.resolve();
    await Promise.all(answers);
    expect(last.items).to.deep.equal([20, 21]);
    const [first, second, third] = beganAt as [number, number, number];
    // A timer may fire up to a millisecond early by this clock.
    expect(second - first).to.be.at.least(195);
    expect(third - second).to.be.at.least(195);
  });

  it('settles a large group in several turns of the event loop, in order, and is idle after that', async () => {
    const items = Array.from({ length: 1000 }, (_, i) => i);
    const { group, submit, nextCommit } = controlled({ maxItems: items.length, maxWaiting: items.length });
    const told: number[] = [];
    for (const item of items) void submit(item).then(() => told.push(item));
    (await nextCommit(0)).resolve();
    const byTurn: number[] = [];
    const idle = group.idle().then(() => told.length);
    while (told.length < items.length) {
      const before = told.length;
      await new Promise((resolve) => setImmediate(resolve));
      byTurn.push(told.length - before);
    }
    expect(Math.max(...byTurn)).to.be.at.most(2 * 64);
    expect(told).to.deep.equal(items);
    expect(await idle).to.equal(items.length);
  });

  it('is idle once every submitted item has its result', async () => {
    const { group, submit, nextCommit } = controlled();
    let idle = false;
    void submit(1);
    const done = group.idle().then(() => {
      idle = true;
    });
    const commit = await nextCommit(0);
    expect(idle).to.equal(false);
    commit.resolve();
    await done;
  });
});
