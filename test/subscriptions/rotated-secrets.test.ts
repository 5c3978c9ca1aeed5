import { rotated } from '@sluice/subscriptions/secrets';
import { expect } from 'chai';

const HOUR = 3_600_000;

describe('subscriptions: the secrets after a rotation', () => {
  const first = { sealed: 'first', created_at: 0 };
  const second = { sealed: 'second', created_at: 0 };

  it('keep an earlier overlap as long as it was promised, whatever a later one is', () => {
    const once = rotated([first], second, 24 * HOUR);
    const twice = rotated(once, { sealed: 'third', created_at: HOUR }, HOUR);
    expect(twice.map(({ sealed, expires_at }) => [sealed, expires_at])).to.deep.equal([
      ['third', undefined],
      ['second', 2 * HOUR],
      ['first', 24 * HOUR],
    ]);
  });

  it('are the new one alone without an overlap', () => {
    const once = rotated([first], second, 24 * HOUR);
    const third = { sealed: 'third', created_at: HOUR };
    expect(rotated(once, third, 0)).to.deep.equal([third]);
  });
});
