import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterCollection, firstFilling, type Pace } from '@sluice/runtime/process/sparing-heap';
import { expect } from 'chai';

describe('the heap of a service', () => {
  const pace: Pace = { growths: [40, 70, 0], tooOftenMs: 700, rarelyMs: 8_000 };
  /** The growth after each of the collections, which come so many milliseconds after one another. */
  const growths = (...fillMs: number[]): number[] => {
    let filling = firstFilling(pace, 1_000);
    return fillMs.map((ms) => {
      filling = afterCollection(filling, filling.since + ms, pace);
      return filling.growth;
    });
  };

  it('is collected early where it fills slowly, later where it fills fast, and left to V8 where that is too often too', () => {
    expect(growths(3_000, 800, 7_000)).to.deep.equal([40, 40, 40]);
    expect(growths(3_000, 500, 500, 4_000)).to.deep.equal([40, 40, 70, 70]);
    expect(growths(500, 500, 500, 500, 500)).to.deep.equal([40, 70, 70, 0, 0]);
  });

  it('is not judged by one collection, nor a new measure by how the one before was filled', () => {
    expect(growths(500, 4_000, 500)).to.deep.equal([40, 40, 40]);
    expect(growths(500, 500, 500, 4_000, 500, 4_000)).to.deep.equal([40, 70, 70, 70, 70, 70]);
  });

  it('is collected early again once it fills rarely', () => {
    expect(growths(500, 500, 10_000)).to.deep.equal([40, 70, 40]);
    expect(growths(500, 500, 500, 500, 10_000)).to.deep.equal([40, 70, 70, 0, 40]);
  });

  for (const flag of ['--heap-growing-percent=40', '--no-allocation-site-pretenuring'])
    it(`is ruled by what the V8 of this Node knows: ${flag}`, async () => {
      // Node ends with 9 at an option that neither it nor V8 has.
      const child = spawn(process.execPath, [flag, '-e', '0'], { stdio: 'ignore' });
      expect(await once(child, 'exit')).to.deep.equal([0, null]);
    });
});
