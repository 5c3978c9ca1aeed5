import { createGather } from '@sluice/dispatcher/turns/gather';
import { expect } from 'chai';

describe('dispatcher: waiting together', () => {
  it('ends at the same time for all who wait, and later for who comes after that', async () => {
    const gather = createGather(1);
    const ended: string[] = [];
    const note = (name: string) => () => void ended.push(name);
    const both = [gather().then(note('first')), gather().then(note('second'))];
    await both[0];
    const third = gather().then(note('third'));
    await both[1];
    expect(ended).to.deep.equal(['first', 'second']);
    await third;
    expect(ended).to.deep.equal(['first', 'second', 'third']);
  });
});
