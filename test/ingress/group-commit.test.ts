import { type Committed, createGroupCommit } from '@sluice/ingress/enqueue/group-commit';
import { expect } from 'chai';

interface Commit {
  readonly items: readonly number[];
  resolve(): void;
  reject(error: Error): void;
}

/** A group commit whose commits the test ends by hand. */
function controlled(
  limits: Partial<{ maxItems: number; maxBytes: number; maxWaiting: number; deadlineMs: number }> = {},
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
    deadlineMs: 5_000,
    ...limits,
  });
  const nextCommit = async (index: number): Promise<Commit> => {
    while (commits.length <= index) await new Promise<void>((resolve) => arrivals.push(resolve));
    return commits[index] as Commit;
  };
  return { group, commits, nextCommit, errors };
}

const committed = (item: number): Committed<string> => ({ status: 'committed', result: `done ${item}` });

describe('group commit', () => {
  it('commits a lone item at once', async () => {
    const { group, nextCommit } = controlled();
    const answer = group.submit(1);
    (await nextCommit(0)).resolve();
    expect(await answer).to.deep.equal(committed(1));
  });

  it('lets everything that arrives during a commit wait for the next one, in order', async () => {
    const { group, nextCommit, commits } = controlled();
    const answers = [group.submit(1)];
    const first = await nextCommit(0);
    for (const item of [2, 3, 4]) answers.push(group.submit(item));
    first.resolve();
    const second = await nextCommit(1);
    expect(second.items).to.deep.equal([2, 3, 4]);
    second.resolve();
    expect(await Promise.all(answers)).to.deep.equal([1, 2, 3, 4].map(committed));
    expect(commits).to.have.length(2);
  });

  it('keeps a group within its number of items and its bytes, but always takes one', async () => {
    const { group, nextCommit } = controlled({ maxItems: 3, maxBytes: 100 });
    const answers = [500, 40, 40, 40, 1, 1, 1, 1].map((item) => group.submit(item));
    const sizes: number[] = [];
    for (let i = 0; i < 4; i++) {
      const commit = await nextCommit(i);
      sizes.push(commit.items.length);
      commit.resolve();
    }
    await Promise.all(answers);
    expect(sizes).to.deep.equal([1, 2, 3, 2]);
  });

  it('tells a whole group that is not committed, and goes on with the next', async () => {
    const { group, nextCommit, errors } = controlled();
    const lost = group.submit(1);
    (await nextCommit(0)).reject(new Error('Redis is away'));
    expect(await lost).to.deep.equal({ status: 'unavailable' });
    expect(errors).to.have.length(1);
    const kept = group.submit(2);
    (await nextCommit(1)).resolve();
    expect(await kept).to.deep.equal(committed(2));
  });

  it('does not let anybody wait past the deadline, and does not commit later what was given up', async () => {
    const { group, nextCommit, commits } = controlled({ deadlineMs: 100 });
    const inFlight = group.submit(1);
    const hanging = await nextCommit(0);
    const waiting = group.submit(2);
    expect(await inFlight).to.deep.equal({ status: 'unavailable' });
    expect(await waiting).to.deep.equal({ status: 'unavailable' });
    hanging.resolve();
    await group.idle();
    expect(commits).to.have.length(1);
  });

  it('turns away what comes when too many wait', async () => {
    const { group, nextCommit } = controlled({ maxWaiting: 2 });
    const first = group.submit(1);
    const commit = await nextCommit(0);
    const [second, third, fourth] = [group.submit(2), group.submit(3), group.submit(4)];
    expect(await fourth).to.deep.equal({ status: 'unavailable' });
    commit.resolve();
    (await nextCommit(1)).resolve();
    expect(await Promise.all([first, second, third])).to.deep.equal([1, 2, 3].map(committed));
  });

  it('tells a large group in several turns of the event loop, in order, and is idle only then', async () => {
    const items = Array.from({ length: 1000 }, (_, i) => i);
    const { group, nextCommit } = controlled({ maxItems: items.length, maxWaiting: items.length });
    const told: number[] = [];
    for (const item of items) void group.submit(item).then(() => told.push(item));
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

  it('is idle only once everything submitted has its result', async () => {
    const { group, nextCommit } = controlled();
    let idle = false;
    void group.submit(1);
    const done = group.idle().then(() => {
      idle = true;
    });
    const commit = await nextCommit(0);
    expect(idle).to.equal(false);
    commit.resolve();
    await done;
  });
});
