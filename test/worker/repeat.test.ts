import { expect } from 'chai';
import { repeat } from '../../services/worker/src/wait/repeat.ts';

describe('what a worker does again and again', () => {
  it('ends with the run under way, where that ends soon', async () => {
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

  it('does not keep a worker that stops while its run waits for a Redis that is away', async () => {
    const run = () => new Promise<never>(() => undefined);
    await repeat({ run, everyMs: 0, onChange: () => undefined }).stop();
  });
});
