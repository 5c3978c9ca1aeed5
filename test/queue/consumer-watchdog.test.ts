import { createWatchdog } from '@sluice/queue/consumer-watchdog';
import { expect } from 'chai';
import { until } from '../support/until.ts';

const SILENCE_MS = 60;
/** The number of looks within the allowed silence. */
const LOOKS = 6;

describe('the watch over a BullMQ worker', () => {
  it('does not report silence when Redis delayed the response: the worker was delayed too', async () => {
    const silences: number[] = [];
    let answer = (_waiting: number) => {};
    let asked = 0;
    const watchdog = createWatchdog({
      waiting() {
        asked += 1;
        if (asked > 1) return Promise.resolve(0);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
      excused: () => false,
      silenceMs: SILENCE_MS,
      onSilence: (waiting) => silences.push(waiting),
    });
    await until(() => asked === 1, { what: 'it asks how many jobs wait' });
    const askedAt = performance.now();
    await until(() => performance.now() - askedAt > SILENCE_MS, { what: 'a silence has passed' });
    answer(3);
    await until(() => asked > 2, { what: 'it has looked again' });
    watchdog.stop();
    expect(silences).to.deep.equal([]);
  });

  it('does not report silence while the worker fetches jobs, even when many more wait', async () => {
    const silences: number[] = [];
    let asked = 0;
    const watchdog = createWatchdog({
      async waiting() {
        asked += 1;
        watchdog.sawTaken();
        return 1000;
      },
      excused: () => false,
      silenceMs: SILENCE_MS,
      onSilence: (waiting) => silences.push(waiting),
    });
    await until(() => asked > 3 * LOOKS, { what: 'three silences could have passed' });
    watchdog.stop();
    expect(silences).to.deep.equal([]);
  });
});
