import { createOriginSlots } from '@sluice/dispatcher/attempt/origin-slots';
import { expect } from 'chai';

const LONG_MS = 60_000;

describe('dispatcher: places for requests to a host', () => {
  it('are given in the order of asking, and those of other hosts at once', async () => {
    const slots = createOriginSlots(2);
    const given: string[] = [];
    const take = async (name: string, origin = 'https://a') => {
      expect(await slots.take(origin, LONG_MS)).to.equal(true);
      given.push(name);
    };
    const all = [take('first'), take('second'), take('third'), take('fourth'), take('other', 'https://b')];
    await Promise.all([all[0], all[1], all[4]]);
    expect(given).to.deep.equal(['first', 'second', 'other']);
    slots.leave('https://a');
    await all[2];
    slots.leave('https://a');
    await all[3];
    expect(given).to.deep.equal(['first', 'second', 'other', 'third', 'fourth']);
  });

  it('are not given to a request that has stopped waiting', async () => {
    const slots = createOriginSlots(1);
    await slots.take('https://a', LONG_MS);
    const late = slots.take('https://a', 5);
    const next = slots.take('https://a', LONG_MS);
    expect(await late).to.equal(false);
    slots.leave('https://a');
    expect(await next).to.equal(true);
    slots.leave('https://a');
    expect(await slots.take('https://a', 5)).to.equal(true);
  });
});
