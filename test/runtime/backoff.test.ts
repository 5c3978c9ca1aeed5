import { backoffMs } from '@sluice/runtime/timing/backoff';
import { expect } from 'chai';

describe('backoff', () => {
  const wait = (attempt: number) => backoffMs({ firstMs: 100, longestMs: 1500 }, attempt);

  it('doubles the wait with each attempt', () => {
    expect([1, 2, 3, 4].map(wait)).to.deep.equal([100, 200, 400, 800]);
  });

  it('waits the longest time from then on', () => {
    expect([5, 6, 31, 100_000].map(wait)).to.deep.equal([1500, 1500, 1500, 1500]);
  });
});
