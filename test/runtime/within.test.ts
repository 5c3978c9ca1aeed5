import { within } from '@sluice/runtime/timing/within';
import { expect } from 'chai';
import { rejection } from '../support/rejection.ts';

const never = new Promise<never>(() => {});

describe('within', () => {
  it('resolves to the value of work that ends in time', async () => {
    expect(await within(60_000, Promise.resolve('value'), () => 'late')).to.equal('value');
  });

  it('rejects with the error of work that fails in time', async () => {
    const failed = within(60_000, Promise.reject(new Error('failed')), () => 'late');
    expect((await rejection(failed)).message).to.equal('failed');
  });

  it('resolves to the late value when the time is over', async () => {
    expect(await within(1, never, () => 'late')).to.equal('late');
  });

  it('rejects with what the late function throws', async () => {
    const late = within(1, never, () => {
      throw new Error('no answer');
    });
    expect((await rejection(late)).message).to.equal('no answer');
  });

  it('ignores an error of the work after the time is over', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    let fail = (_: Error) => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await within(1, work, () => undefined);
    fail(new Error('too late'));
    // Node reports unhandled rejections before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).to.deep.equal([]);
  });

  it('leaves no timer behind that keeps the process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    // Mocha starts its own timer once this function has returned a promise.
    await Promise.resolve();
    const before = timers();
    await within(60_000, Promise.resolve(), () => undefined);
    expect(timers()).to.equal(before);
  });
});
