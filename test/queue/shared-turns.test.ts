import type { Handled } from '@sluice/queue/consumer-worker';
import { createSharedTurns } from '@sluice/queue/shared-turns';
import { expect } from 'chai';

const job = { id: '1', data: {} };

describe('turns that several consumers share', () => {
  it('are freed by a handler that threw', async () => {
    const turns = createSharedTurns(1);
    const throws = turns.wrap(() => Promise.reject(new Error('a bug')));
    const [first, second] = [throws(job), turns.wrap(async () => 'done')(job)];
    expect(await first.catch((error: Error) => error.message)).to.equal('a bug');
    expect(await second).to.equal('done');
  });

  it('do not delay a stop: waiting jobs are given back, and running jobs finish', async () => {
    const turns = createSharedTurns(1);
    let finish = (_handled: Handled): void => undefined;
    const handle = turns.wrap(
      () =>
        new Promise<Handled>((resolve) => {
          finish = resolve;
        }),
    );
    const [held, waiting] = [handle(job), handle(job)];
    turns.stop();
    expect(await waiting).to.equal('give_back');
    expect(await handle(job), 'taken after that').to.equal('give_back');
    finish('done');
    expect(await held).to.equal('done');
  });
});
