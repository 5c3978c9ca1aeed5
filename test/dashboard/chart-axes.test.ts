import { expect } from 'chai';
import fc from 'fast-check';
import {
  boxOf,
  labelledIn,
  linearScale,
  logScale,
  mostOf,
  tickText,
} from '../../services/dashboard/src/pages/overview/plot/scale.ts';

describe('dashboard: axes of a chart', () => {
  it('has round ticks from 0 to a value that nothing exceeds', () => {
    expect(linearScale(0, { whole: true }).ticks).to.deep.equal([0, 1]);
    expect(linearScale(3, { whole: true }).ticks).to.deep.equal([0, 1, 2, 3]);
    expect(linearScale(7, { whole: true }).ticks).to.deep.equal([0, 2, 4, 6, 8]);
    expect(linearScale(312, { whole: true }).ticks).to.deep.equal([0, 100, 200, 300, 400]);
    expect(linearScale(0.3, { whole: false }).ticks.map((tick) => tickText(tick))).to.deep.equal([
      '0',
      '0.1',
      '0.2',
      '0.3',
    ]);
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e12, noNaN: true }), fc.boolean(), (most, whole) => {
        const { ticks, max, share } = linearScale(whole ? Math.floor(most) : most, { whole });
        expect(ticks.length, String(most)).to.be.within(2, 5);
        expect(ticks.at(-1)).to.equal(max);
        expect(share(Math.floor(most))).to.be.within(0, 1);
        if (whole) expect(ticks.every(Number.isInteger)).to.equal(true);
      }),
    );
  });

  it('has powers of ten as ticks of a log scale, and values below 1 at its bottom', () => {
    const { ticks, share } = logScale(1499);
    expect(ticks).to.deep.equal([1, 10, 100, 1000, 10_000]);
    expect([0, 0.5, 1, 100, 10_000].map(share)).to.deep.equal([0, 0, 0, 0.5, 1]);
    expect(logScale(0).ticks).to.deep.equal([1, 10]);
  });

  it('writes short numbers', () => {
    expect([0, 1500, 20_000, 2_500_000].map(tickText)).to.deep.equal(['0', '1,500', '20K', '2.5M']);
  });

  it('finds the highest value, or the highest sum where series are stacked; gaps count nothing', () => {
    const series = ['a', 'b'].map((key) => ({ key, label: key, color: '' }));
    const rows = [
      { at: 't', a: 3, b: 4 },
      { at: 'u', a: null, b: 6 },
    ];
    expect(mostOf(rows, series)).to.equal(6);
    expect(mostOf(rows, series, true)).to.equal(7);
    expect(mostOf([], series)).to.equal(0);
  });

  it('finds the bucket at a place, and none beside the chart', () => {
    for (const bands of [true, false]) {
      const box = boxOf({ width: 652, height: 240, count: 60, bands, twoAxes: false });
      for (const index of [0, 1, 30, 59])
        expect(box.indexAt(box.x(index) + 1), String(index)).to.equal(index);
      expect(box.indexAt(box.left - 20)).to.equal(undefined);
      expect(box.indexAt(box.right + 20)).to.equal(undefined);
      expect([box.x(0), box.x(59)].every((x) => x >= box.left && x <= box.right)).to.equal(true);
    }
  });

  it('labels as many times as fit, the last one first, and a day once', () => {
    const box = (width: number) => boxOf({ width, height: 240, count: 48, bands: true, twoAxes: false });
    const times = Array.from({ length: 48 }, (_, index) => `t${index}`);
    const wide = labelledIn(box(1000), times);
    expect(wide[0]).to.equal(47);
    expect(wide).to.have.length(10);
    expect(labelledIn(box(300), times)).to.have.length(3);
    const days = Array.from({ length: 48 }, (_, index) => `day ${Math.floor(index / 24)}`);
    expect(labelledIn(box(1000), days)).to.deep.equal([24]);
  });
});
