import { createAddressGuard } from '@sluice/ingress/verify/address-guard';
import { expect } from 'chai';

const MINUTE = Date.UTC(2026, 10, 21, 10, 59);

describe('ingress: addresses over their limit of bad signatures', () => {
  const asked = (address: string) => () => address;

  it('are blocked only in the minute of their count', () => {
    const guard = createAddressGuard();
    guard.block('203.0.113.7', MINUTE + 59_000, MINUTE + 59_500);
    expect(guard.isBlocked(asked('203.0.113.7'), MINUTE + 59_999)).to.equal(true);
    expect(guard.isBlocked(asked('203.0.113.8'), MINUTE + 59_999)).to.equal(false);
    expect(guard.isBlocked(asked('203.0.113.7'), MINUTE + 60_000)).to.equal(false);
    guard.block('203.0.113.8', MINUTE + 60_000, MINUTE + 60_000);
    expect(guard.isBlocked(asked('203.0.113.7'), MINUTE + 60_000)).to.equal(false);
  });

  it('are not blocked in the next minute by a late verdict', () => {
    const guard = createAddressGuard();
    guard.block('203.0.113.8', MINUTE + 60_000, MINUTE + 60_001);
    guard.block('203.0.113.7', MINUTE + 59_999, MINUTE + 60_002);
    expect(guard.isBlocked(asked('203.0.113.7'), MINUTE + 60_003)).to.equal(false);
    expect(guard.isBlocked(asked('203.0.113.8'), MINUTE + 60_003), 'the others stay').to.equal(true);
  });

  it('are blocked again after the clock is set back', () => {
    const guard = createAddressGuard();
    guard.block('203.0.113.7', MINUTE + 600_000, MINUTE + 600_000);
    guard.block('203.0.113.8', MINUTE, MINUTE);
    expect(guard.isBlocked(asked('203.0.113.8'), MINUTE)).to.equal(true);
    expect(guard.isBlocked(asked('203.0.113.7'), MINUTE)).to.equal(false);
  });

  it('are remembered up to a maximum number, which bounds the memory', () => {
    const guard = createAddressGuard();
    for (let i = 0; i < 20_000; i++) guard.block(`address ${i}`, MINUTE, MINUTE);
    expect(guard.isBlocked(asked('address 9999'), MINUTE)).to.equal(true);
    expect(guard.isBlocked(asked('address 10000'), MINUTE)).to.equal(false);
  });
});
