import { createDelay } from '@sluice/runtime/timing/backoff';
import { expect } from 'chai';
import { createWaitOut, StoppedWhileWaiting } from '../../services/worker/src/wait/wait-out.ts';

describe('worker: waiting out an outage of MongoDB', () => {
  const events: string[] = [];
  const note = (fields: object) => void events.push(String((fields as { event?: string }).event));
  const waiting: number[] = [];
  const create = (delay = () => 0) =>
    createWaitOut({
      logger: { warn: note, info: note },
      onWaiting: (count) => void waiting.push(count),
      delay,
    });

  beforeEach(() => {
    events.length = 0;
    waiting.length = 0;
  });

  /** An operation that fails `times` times and then succeeds. */
  function failing(times: number, error: Error = new Error('connection reset')) {
    let calls = 0;
    return async () => {
      calls += 1;
      if (calls <= times) throw error;
      return calls;
    };
  }

  it('retries an operation until it succeeds, and logs the outage once', async () => {
    expect(await create().run(failing(0))).to.equal(1);
    expect(events, 'nothing failed').to.deep.equal([]);
    expect(await create().run(failing(50))).to.equal(51);
    expect(events).to.deep.equal(['store.away', 'store.back']);
    expect(waiting).to.deep.equal([1, 0]);
  });

  it('logs the latest error from time to time, because the cause may change', async () => {
    const logged: unknown[] = [];
    const logger = {
      warn: (fields: object) => void logged.push((fields as { err: Error }).err.message),
      info: note,
    };
    const waitOut = createWaitOut({ logger, delay: () => 0, logAgainMs: 0 });
    const errors = ['connection reset', 'recovering'];
    await waitOut.run(async () => {
      const message = errors.shift();
      if (message !== undefined) throw new Error(message);
    });
    expect(logged).to.deep.equal(['connection reset', 'recovering']);
  });

  it('logs one outage for many waiting operations, and its end after the last one', async () => {
    const waitOut = create();
    await Promise.all([3, 5, 9].map((times) => waitOut.run(failing(times))));
    expect(events).to.deep.equal(['store.away', 'store.back']);
    expect(Math.max(...waiting)).to.equal(3);
  });

  it('ends all waiting immediately when the worker stops', async () => {
    const waitOut = create(() => 1_000_000);
    const waits = waitOut.run(failing(2)).catch((error: unknown) => error);
    setImmediate(() => waitOut.stop());
    expect(await waits).to.be.instanceOf(StoppedWhileWaiting);
    expect(await waitOut.run(failing(1)).catch((error: unknown) => error)).to.be.instanceOf(
      StoppedWhileWaiting,
    );
    expect(await waitOut.run(async () => 'works'), 'a successful operation still resolves').to.equal('works');
  });

  it('does not retry a bug', async () => {
    const bug = new TypeError('x is not a function');
    expect(
      await create()
        .run(failing(1, bug))
        .catch((error: unknown) => error),
    ).to.equal(bug);
    expect(events).to.deep.equal([]);
  });

  it('waits longer each time up to a limit, never less than half of it', () => {
    const [least, most] = [0, 1].map((r) => createDelay({ firstMs: 100, longestMs: 2000, random: () => r }));
    const attempts = [1, 2, 3, 4, 5, 6, 7, 1000];
    expect(attempts.map((n) => most?.(n))).to.deep.equal([100, 200, 400, 800, 1600, 2000, 2000, 2000]);
    expect(attempts.map((n) => least?.(n))).to.deep.equal([50, 100, 200, 400, 800, 1000, 1000, 1000]);
  });
});
