import { HOUR_MS } from '@sluice/contract/time/durations';
import { rotated } from '@sluice/outbound/subscriptions/secrets';
import { expect } from 'chai';

describe('subscriptions: the secrets after a rotation', () => {
  const first = { sealed: 'first', created_at: 0 };
  const second = { sealed: 'second', created_at: 0 };

  it('keep an earlier overlap as long as it was promised, whatever a later one is', () => {
    const once = rotated([first], second, 24 * HOUR_MS);
    const twice = rotated(once, { sealed: 'third', created_at: HOUR_MS }, HOUR_MS);
    expect(twice.map(({ sealed, expires_at }) => [sealed, expires_at])).to.deep.equal([
      ['third', undefined],
      ['second', 2 * HOUR_MS],
      ['first', 24 * HOUR_MS],
    ]);
  });

  it('are the new one alone without an overlap', () => {
    const once = rotated([first], second, 24 * HOUR_MS);
    const third = { sealed: 'third', created_at: HOUR_MS };
    expect(rotated(once, third, 0)).to.deep.equal([third]);
  });
});
