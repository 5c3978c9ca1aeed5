import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nextGrowth } from '@sluice/runtime/sparing-heap';
import { expect } from 'chai';

describe('the heap of a service', () => {
  it('is collected early where it fills slowly, later where it fills fast, and left to V8 where that is too often too', () => {
    const pace = { growths: [40, 70, 0], tooOftenMs: 700, rarelyMs: 8_000 } as const;
    expect(nextGrowth(40, [500, 500], pace)).to.equal(70);
    expect(nextGrowth(70, [500, 500], pace)).to.equal(0);
    expect(nextGrowth(0, [500, 500], pace)).to.equal(0);
    expect(nextGrowth(40, [3_000, 500], pace)).to.equal(40);
    for (const growth of pace.growths) {
      expect(nextGrowth(growth, [500, 4_000], pace)).to.equal(growth);
      expect(nextGrowth(growth, [500, 10_000], pace)).to.equal(40);
    }
  });

  for (const flag of ['--heap-growing-percent=40', '--no-allocation-site-pretenuring'])
    it(`is ruled by what the V8 of this Node knows: ${flag}`, async () => {
      // Node ends with 9 at an option that neither it nor V8 has.
      const child = spawn(process.execPath, [flag, '-e', '0'], { stdio: 'ignore' });
      expect(await once(child, 'exit')).to.deep.equal([0, null]);
    });
});
