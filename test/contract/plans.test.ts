import { parsePlans } from '@sluice/contract/account/plans';
import { expect } from 'chai';

describe('contract: plans', () => {
  it('reads names with and without a limit', () => {
    const parsed = parsePlans('free:1000, pro:100000 ,unlimited');
    expect(parsed.ok && [...parsed.plans]).to.deep.equal([
      ['free', 1000],
      ['pro', 100_000],
      ['unlimited', null],
    ]);
  });
  for (const text of [
    '',
    'free',
    'free:x,unlimited',
    'free:-1,unlimited',
    'a:1,a:2,unlimited',
    'Free:1,unlimited',
    'unlimited,',
  ]) {
    it(`rejects "${text}" with a reason`, () => {
      const parsed = parsePlans(text);
      expect(parsed.ok).to.equal(false);
      if (!parsed.ok) expect(parsed.detail).to.have.length.above(10);
    });
  }
});
