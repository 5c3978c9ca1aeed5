import { limitedAddress } from '@sluice/admission/limited-address';
import { expect } from 'chai';

describe('admission: the address for limits', () => {
  for (const [address, counted] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:FFFF:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['203.0.113.7:50123', '203.0.113.7'],
    ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
    [`text of a client ${'x'.repeat(8_000)}`, 'unknown'],
    ['_hidden', 'unknown'],
    [undefined, 'unknown'],
  ] as const) {
    it(`${address?.slice(0, 60)} counts as ${counted}`, () => {
      expect(limitedAddress(address)).to.equal(counted);
    });
  }
});
