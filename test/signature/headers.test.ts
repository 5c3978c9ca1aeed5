import { signBody } from '@sluice/signature/sign';
import { describeSignatureForm } from '@sluice/signature/signature-form';
import { checkHeaders, checkSignature, verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';
import fc from 'fast-check';

const NOW = 1_790_000_000_000;

describe('signature: headers', () => {
  const outcome = (signature: string | undefined, timestamp: string | undefined) =>
    checkHeaders({ signature, timestamp }, NOW).outcome;

  it('checks the signature first, then the form of the timestamp, then its age', () => {
    expect(outcome(undefined, undefined)).to.equal('signature_missing');
    expect(outcome('', '1')).to.equal('signature_missing');
    expect(outcome('x', undefined)).to.equal('timestamp_invalid');
    expect(outcome('x', '12a')).to.equal('timestamp_invalid');
    expect(outcome('x', '1')).to.equal('timestamp_expired');
    expect(outcome('x', '9'.repeat(400))).to.equal('timestamp_expired');
    expect(checkHeaders({ signature: 'x', timestamp: '1790000000' }, NOW)).to.deep.equal({
      outcome: 'plausible',
      signature: 'x',
      timestamp: '1790000000',
      seconds: 1_790_000_000,
    });
  });

  it('accepts exactly 300 seconds in both directions', () => {
    for (const [age, expected] of [
      [300, 'plausible'],
      [301, 'timestamp_expired'],
      [-300, 'plausible'],
      [-301, 'timestamp_expired'],
    ] as const) {
      expect(outcome('x', String(1_790_000_000 - age))).to.equal(expected);
    }
  });

  it('counts age in whole seconds, so that a fraction over 300 s is accepted', () => {
    expect(checkHeaders({ signature: 'x', timestamp: '1789999700' }, NOW + 999).outcome).to.equal(
      'plausible',
    );
  });

  for (const [timestamp, told] of [
    [undefined, 'X-Service-Timestamp is missing. Send the current Unix time.'],
    ['a12', 'X-Service-Timestamp is not a decimal number of seconds. Send the current Unix time.'],
    ['1'.repeat(16), 'X-Service-Timestamp has more than 15 digits. Send Unix time in seconds.'],
    ['9'.repeat(15), 'X-Service-Timestamp looks like milliseconds. Send Unix time in seconds.'],
    [String(NOW), 'X-Service-Timestamp looks like milliseconds. Send Unix time in seconds.'],
    [
      '99999999999',
      "X-Service-Timestamp is 98209999999 seconds ahead; at most 300 are accepted. Check the sender's clock: it is ahead.",
    ],
    [
      '1789999699',
      "X-Service-Timestamp is 301 seconds old; at most 300 are accepted. Check the sender's clock, and sign an older request again.",
    ],
  ] as const) {
    it(`explains the timestamp ${timestamp}: ${told}`, () => {
      const verdict = checkHeaders({ signature: 'x', timestamp }, NOW);
      expect('detail' in verdict && verdict.detail).to.contain(told);
    });
  }

  const digits = 'ab'.repeat(32);
  for (const [signature, told] of [
    [digits, 'X-Service-Signature does not begin with sha256=.'],
    [
      `sha256=${digits}0`,
      'X-Service-Signature has 65 characters after sha256=, not the 64 hex digits of a SHA-256.',
    ],
    [
      `sha256=${digits.toUpperCase()}`,
      'X-Service-Signature has upper-case hex digits. Send them in lower case.',
    ],
    [
      `sha256=${digits.slice(1)}Z`,
      'X-Service-Signature is not hex after sha256=. Encode the HMAC as hex, not as base64.',
    ],
    [
      `sha256=+${digits.slice(1)}`,
      'X-Service-Signature is not hex after sha256=. Encode the HMAC as hex, not as base64.',
    ],
    [`sha256=${digits}`, null],
  ] as const) {
    it(`explains the form of the signature ${signature}: ${told ?? 'it is right'}`, () => {
      expect(describeSignatureForm(signature)).to.equal(told);
    });
  }

  it('rejects a right signature with any text before or after it, without throwing', () => {
    const body = Buffer.from('body');
    const right = signBody({ secret: 'whsec_test', timestamp: '1', body });
    const key = verifyingKey('whsec_test');
    expect(checkSignature(key, '1', body, right)).to.equal(true);
    for (const wrong of [`x${right}`, `${right}0`, `${right}\n`, `${right}, ${right}`]) {
      expect(checkSignature(key, '1', body, wrong)).to.equal(false);
    }
  });

  it('rejects any text as a signature, without throwing', () => {
    const key = verifyingKey('whsec_test');
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^sha256=[0-9a-f]{0,70}$/)),
        fc.string(),
        (signature, timestamp) => {
          expect(checkSignature(key, timestamp, Buffer.from('body'), signature)).to.equal(false);
        },
      ),
    );
  });
});
