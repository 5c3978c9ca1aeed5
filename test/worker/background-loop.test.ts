import { expect } from 'chai';
import { startBackgroundLoop } from '../../services/worker/src/wait/background-loop.ts';

describe('worker: background loops', () => {
  it('stop after the current run if it ends soon', async () => {
    let ends = () => {};
    let runs = 0;
    const loop = startBackgroundLoop({
      run: () => {
        runs += 1;
        return new Promise<void>((resolve) => {
          ends = resolve;
        });
      },
      everyMs: 0,
      onChange: () => undefined,
    });
    const stopped = loop.stop();
    ends();
    await stopped;
    expect(runs).to.equal(1);
  });

  it('do not delay a stopping worker while a run waits for an unavailable Redis', async () => {
    const run = () => new Promise<never>(() => undefined);
    await startBackgroundLoop({ run, everyMs: 0, onChange: () => undefined }).stop();
  });

  it('continue after a failed run, and report only changes', async () => {
    const changes: unknown[] = [];
    let runs = 0;
    const trouble = new Error('away');
    await new Promise<void>((resolve) => {
      const loop = startBackgroundLoop({
        everyMs: 0,
        onChange: (error) => void changes.push(error),
        run: async () => {
          runs += 1;
          if (runs === 6) void loop.stop().then(resolve);
          if (runs === 2 || runs === 3) throw trouble;
        },
      });
    });
    expect(changes).to.deep.equal([trouble, null]);
    expect(runs).to.equal(6);
  });
});
