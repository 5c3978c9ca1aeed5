import { createAddressGuard } from '@sluice/ingress/verify/address-guard';
import { expect } from 'chai';

const MINUTE = Date.UTC(2026, 10, 21, 10, 59);

describe('ingress: addresses that have had too many bad signatures', () => {
  const asked = (address: string) => () => address;

  it('are blocked until the minute is over, and no others', () => {
    const guard = createAddressGuard();
    guard.block('203.0.113.7', MINUTE + 59_000);
    expect(guard.isBlocked(asked('203.0.113.7'), MINUTE + 59_999)).to.equal(true);
    expect(guard.isBlocked(asked('203.0.113.8'), MINUTE + 59_999)).to.equal(false);
    expect(guard.isBlocked(asked('203.0.113.7'), MINUTE + 60_000)).to.equal(false);
    guard.block('203.0.113.8', MINUTE + 60_000);
    expect(guard.isBlocked(asked('203.0.113.7'), MINUTE + 60_000)).to.equal(false);
  });

  it('are remembered up to a number: more would take memory for as long as somebody has addresses', () => {
    const guard = createAddressGuard();
    for (let i = 0; i < 20_000; i++) guard.block(`address ${i}`, MINUTE);
    expect(guard.isBlocked(asked('address 9999'), MINUTE)).to.equal(true);
    expect(guard.isBlocked(asked('address 10000'), MINUTE)).to.equal(false);
  });
});
