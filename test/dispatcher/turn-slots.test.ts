import { createTurnSlots } from '@sluice/dispatcher/turns/turn-slots';
import { expect } from 'chai';
import { until } from '../support/until.ts';

const SLOW_AFTER_MS = 40;

describe('dispatcher: the places of turns', () => {
  function slots(maxSlowRequests = 10, slowAfterMs = SLOW_AFTER_MS, slowRequests = { used: 0 }) {
    let freed = 0;
    const made = createTurnSlots({
      ...{ maxQuick: 2, maxSlowRequests, slowRequests, slowAfterMs, slowWhenFullMs: SLOW_AFTER_MS },
      onFree: () => {
        freed += 1;
      },
    });
    return { ...made, freed: () => freed };
  }
  const healthy = { isFailing: false };
  const counts = ({ quick, slow, free }: ReturnType<typeof slots>) => [quick(), slow(), free()];

  it('become free when a turn ends', () => {
    const all = slots();
    const one = all.enter(healthy);
    all.enter(healthy);
    expect(counts(all)).to.deep.equal([2, 0, 0]);
    one.leave();
    expect(counts(all)).to.deep.equal([1, 0, 1]);
    expect(all.freed()).to.equal(1);
  });

  it('become free when a receiver does not respond, and only then', async () => {
    const all = slots();
    const dead = all.enter(healthy);
    const storing = all.enter(healthy);
    storing.begin(1);
    storing.end();
    dead.begin(1);
    await until(() => all.freed() === 1);
    expect(counts(all)).to.deep.equal([1, 1, 1]);
    dead.leave();
    expect(counts(all)).to.deep.equal([1, 0, 1]);
    storing.leave();
    expect(counts(all)).to.deep.equal([0, 0, 2]);
  });

  it('are kept by a turn whose requests are answered in time, one after the other', async () => {
    const all = slots();
    const busy = all.enter(healthy);
    const dead = all.enter(healthy);
    dead.begin(1);
    const answers = setInterval(() => busy.begin(1), SLOW_AFTER_MS / 8);
    await until(() => all.slow() > 0);
    clearInterval(answers);
    expect(counts(all)).to.deep.equal([1, 1, 1]);
    dead.leave();
    expect(all.slow()).to.equal(0);
  });

  it('are not needed by a turn whose receiver failed last time', () => {
    const all = slots();
    const failing = all.enter({ isFailing: true });
    expect(counts(all)).to.deep.equal([0, 1, 2]);
    failing.leave();
    expect(counts(all)).to.deep.equal([0, 0, 2]);
  });

  it('are kept while too many turns are slow, until one of those ends', async () => {
    const all = slots(1);
    const failing = all.enter({ isFailing: true });
    const second = all.enter({ isFailing: true });
    second.begin(1);
    expect(counts(all)).to.deep.equal([1, 1, 1]);
    failing.leave();
    await until(() => all.slow() === 1);
    expect(counts(all)).to.deep.equal([0, 1, 2]);
    second.leave();
    expect(counts(all)).to.deep.equal([0, 0, 2]);
  });

  it('are kept by a slow turn with more requests than slow turns may have', async () => {
    const all = slots(4);
    const many = all.enter(healthy);
    const one = all.enter(healthy);
    many.begin(5);
    one.begin(1);
    await until(() => all.slow() === 1);
    expect(counts(all)).to.deep.equal([1, 1, 1]);
    one.leave();
    many.begin(4);
    await until(() => all.slow() === 1);
    expect(counts(all)).to.deep.equal([0, 1, 2]);
    many.leave();
    expect(all.slow()).to.equal(0);
  });

  it('of slow receivers are bounded for all shards together', () => {
    const slowRequests = { used: 0 };
    const [one, other] = [slots(1, SLOW_AFTER_MS, slowRequests), slots(1, SLOW_AFTER_MS, slowRequests)];
    const first = one.enter({ isFailing: true });
    const second = other.enter({ isFailing: true });
    expect([counts(one), counts(other)]).to.deep.equal([
      [0, 1, 2],
      [1, 0, 1],
    ]);
    first.leave();
    const third = other.enter({ isFailing: true });
    expect(counts(other)).to.deep.equal([1, 1, 1]);
    for (const slot of [second, third]) slot.leave();
    expect(slowRequests.used).to.equal(0);
  });
});
