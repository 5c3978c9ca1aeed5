import { checkHeaders, checkSignature, verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';
import fc from 'fast-check';

const NOW = 1_790_000_000_000;

describe('signature: headers, before anything is hashed', () => {
  const outcome = (signature: string | undefined, timestamp: string | undefined) =>
    checkHeaders({ signature, timestamp }, NOW).outcome;

  it('looks at the signature first, then at the form of the timestamp, then at its age', () => {
    expect(outcome(undefined, undefined)).to.equal('signature_missing');
    expect(outcome('', '1')).to.equal('signature_missing');
    expect(outcome('x', undefined)).to.equal('timestamp_invalid');
    expect(outcome('x', '12a')).to.equal('timestamp_invalid');
    expect(outcome('x', '1')).to.equal('timestamp_expired');
    expect(outcome('x', '9'.repeat(400))).to.equal('timestamp_expired');
    expect(outcome('x', '1790000000')).to.equal('plausible');
  });

  it('accepts exactly 300 seconds either way', () => {
    for (const [age, expected] of [
      [300, 'plausible'],
      [301, 'timestamp_expired'],
      [-300, 'plausible'],
      [-301, 'timestamp_expired'],
    ] as const) {
      expect(outcome('x', String(1_790_000_000 - age))).to.equal(expected);
    }
  });

  it('counts age in whole seconds, so that a request signed 300 s ago is not refused for the fraction', () => {
    expect(checkHeaders({ signature: 'x', timestamp: '1789999700' }, NOW + 999).outcome).to.equal(
      'plausible',
    );
  });

  it('no text of any kind makes the comparison throw, and none is accepted', () => {
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
