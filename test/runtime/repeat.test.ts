import { repeat } from '@sluice/runtime/timing/repeat';
import { expect } from 'chai';
import { until } from '../support/until.ts';

/** A run that ends when the test says so. */
function createRuns() {
  const ends: (() => void)[] = [];
  return {
    begun: () => ends.length,
    run: () => new Promise<void>((resolve) => void ends.push(resolve)),
    end: () => ends.at(-1)?.(),
  };
}

describe('repeat', () => {
  it('begins the first run after the interval, and the next one after the end of the one before', async () => {
    const runs = createRuns();
    const repeated = repeat({ run: runs.run, everyMs: 1, onError: () => undefined });
    expect(runs.begun()).to.equal(0);
    await until(() => runs.begun() === 1);
    runs.end();
    await until(() => runs.begun() === 2);
    runs.end();
    await repeated.stop();
  });

  it('reports the error of a run, and runs again', async () => {
    const errors: unknown[] = [];
    const run = () => Promise.reject(new Error(`run ${errors.length}`));
    const repeated = repeat({ run, everyMs: 1, onError: (error) => errors.push(error) });
    await until(() => errors.length >= 2);
    await repeated.stop();
    expect(errors.slice(0, 2).map((error) => (error as Error).message)).to.deep.equal(['run 0', 'run 1']);
  });

  it('runs at once when asked, and once more if asked during a run', async () => {
    const runs = createRuns();
    const repeated = repeat({ run: runs.run, everyMs: 3_600_000, onError: () => undefined });
    repeated.runNow();
    expect(runs.begun()).to.equal(1);
    repeated.runNow();
    repeated.runNow();
    expect(runs.begun()).to.equal(1);
    runs.end();
    await until(() => runs.begun() === 2);
    const stopped = repeated.stop();
    runs.end();
    await stopped;
    expect(runs.begun()).to.equal(2);
  });

  it('stops once the run under way has ended, which learns of the stop', async () => {
    let learnt = false;
    let end = () => {};
    const run = (isStopped: () => boolean) =>
      new Promise<void>((resolve) => {
        end = () => {
          learnt = isStopped();
          resolve();
        };
      });
    const repeated = repeat({ run, everyMs: 0, onError: () => undefined });
    repeated.runNow();
    let isOver = false;
    const stopped = repeated.stop().then(() => {
      isOver = true;
    });
    repeated.runNow();
    await new Promise(setImmediate);
    expect(isOver).to.equal(false);
    end();
    await stopped;
    expect(learnt).to.equal(true);
  });

  it('begins no run after a stop', async () => {
    const runs = createRuns();
    const repeated = repeat({ run: runs.run, everyMs: 0, onError: () => undefined });
    await repeated.stop();
    repeated.runNow();
    expect(runs.begun()).to.equal(0);
  });
});
