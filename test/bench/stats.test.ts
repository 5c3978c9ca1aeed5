import { expect } from 'chai';
import { slope } from '../../bench/support/stats.ts';

describe('slope', () => {
  it('is that of the line through the points, in any order', () => {
    const points = [3, 1, 2, 10].map((x) => [x, 7 - 0.5 * x] as const);
    expect(slope(points)).to.be.closeTo(-0.5, 1e-12);
  });

  it('is that of the line around which the points scatter evenly', () => {
    expect(
      slope([
        [0, 1],
        [0, -1],
        [4, 9],
        [4, 7],
      ]),
    ).to.equal(2);
  });
});
