import { pauseMs } from '@sluice/store/writing/after-lost-race';
import { expect } from 'chai';

describe('store: the pause of a writer that lost a race', () => {
  for (const [round, longestMs] of [
    [0, 1],
    [3, 8],
    [20, 50],
    [undefined, 50],
  ] as const)
    it(`is random, up to ${longestMs} ms after ${round ?? 'an unknown number of'} lost rounds`, () => {
      expect(pauseMs(round, 0)).to.equal(0);
      expect(pauseMs(round, 0.5)).to.equal(longestMs / 2);
    });
});
