import { expect } from 'chai';
import { repeat } from '../../services/worker/src/wait/repeat.ts';

describe('worker: repeated tasks', () => {
  it('stop after the current run if it ends soon', async () => {
    let ends = () => {};
    let runs = 0;
    const loop = repeat({
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
    await repeat({ run, everyMs: 0, onChange: () => undefined }).stop();
  });
});
