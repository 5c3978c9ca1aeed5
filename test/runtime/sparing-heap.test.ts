import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nextGrowth } from '@sluice/runtime/sparing-heap';
import { expect } from 'chai';

describe('the heap of a service', () => {
  it('is collected early where it fills slowly, and left to V8 where it fills fast', () => {
    expect(nextGrowth(40, 500, 500)).to.equal(0);
    expect(nextGrowth(40, 3_000, 500)).to.equal(40);
    expect(nextGrowth(0, 500, 500)).to.equal(0);
    expect(nextGrowth(40, 500, 4_000)).to.equal(40);
    expect(nextGrowth(0, 500, 4_000)).to.equal(0);
    expect(nextGrowth(0, 500, 10_000)).to.equal(40);
  });

  it('has a limit that the V8 of this Node knows', async () => {
    // Node ends with 9 at an option that neither it nor V8 has.
    const child = spawn(process.execPath, ['--heap-growing-percent=40', '-e', '0'], { stdio: 'ignore' });
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });
});
