import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { HmacSha256 } from '@sluice/signature/hmac-sha256';
import { expect } from 'chai';
import fc from 'fast-check';

const bytes = (value: number, length: number) => Buffer.alloc(length, value);
const hex = (digits: string) => Buffer.from(digits, 'hex');

/** RFC 4231, section 4: test cases 1 to 4, 6 and 7 (5 is a truncated digest). */
const RFC_4231 = [
  {
    key: bytes(0x0b, 20),
    data: Buffer.from('Hi There'),
    digest: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  },
  {
    key: Buffer.from('Jefe'),
    data: Buffer.from('what do ya want for nothing?'),
    digest: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  },
  {
    key: bytes(0xaa, 20),
    data: bytes(0xdd, 50),
    digest: '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
  },
  {
    key: hex('0102030405060708090a0b0c0d0e0f10111213141516171819'),
    data: bytes(0xcd, 50),
    digest: '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  },
  {
    key: bytes(0xaa, 131),
    data: Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    digest: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  },
  {
    key: bytes(0xaa, 131),
    data: Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. ' +
        'The key needs to be hashed before being used by the HMAC algorithm.',
    ),
    digest: '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  },
];

describe('HMAC-SHA256 out of two hashes', () => {
  it('gives the digests of RFC 4231', () => {
    for (const { key, data, digest } of RFC_4231)
      expect(new HmacSha256(key).digest('', data)).to.equal(digest);
  });

  it("gives what node:crypto's createHmac gives, whatever the key, the text and the bytes, also when used again", () => {
    const anyBytes = (max: number) => fc.uint8Array({ maxLength: max });
    const messages = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), anyBytes(9000)), { maxLength: 3 });
    fc.assert(
      fc.property(anyBytes(200), messages, (key, all) => {
        const hmac = new HmacSha256(key);
        for (const [text, rest] of all) {
          const expected = createHmac('sha256', key).update(text).update(rest).digest('hex');
          expect(hmac.digest(text, rest)).to.equal(expected);
        }
      }),
    );
  });

  it('shows its key to nobody who prints it', () => {
    const hmac = new HmacSha256(Buffer.from('whsec_secret'));
    expect(JSON.stringify(hmac)).to.equal('{}');
    expect(inspect(hmac, { showHidden: true, depth: 9 })).to.equal('HmacSha256 {}');
  });
});
