import { createHmac } from 'node:crypto';
import { compileVerifier } from '@sluice/signature/sender/compile-verifier';
import type { HmacProfile, ProfileInput } from '@sluice/signature/sender/profile';
import { senderKey } from '@sluice/signature/sender/sender-key';
import { expect } from 'chai';
import fc from 'fast-check';
import { sized } from '../../support/size.ts';
import { headersOf, profileOf } from './support.ts';

const NOW = Date.UTC(2026, 11, 1);

const literal = fc.constantFrom('.', ':', 'v0:', '\n', 'é');
const encoding = fc.constantFrom('hex', 'base64', 'base64url');
const form = fc.oneof(
  fc.constant({ kind: 'whole' } as const),
  fc.constant({ kind: 'prefix', prefix: 'sha256=' } as const),
  fc.constant({ kind: 'list', separator: ' ', prefix: 'v1,' } as const),
  fc.constant({ kind: 'pairs', signature: 'v1' } as const),
);

/** Random profiles that are no contradiction: what is signed has a place, and the reverse. */
const profiles: fc.Arbitrary<ProfileInput> = fc
  .record({
    form,
    encoding,
    algorithm: fc.constantFrom('sha256', 'sha512', 'sha1'),
    unit: fc.constantFrom('s', 'ms', 'iso'),
    time: fc.boolean(),
    id: fc.boolean(),
    parts: fc.array(literal, { maxLength: 3 }),
    keyEncoding: fc.constantFrom('text', 'base64', 'hex'),
    strip: fc.boolean(),
    order: fc.infiniteStream(fc.nat(1000)),
  })
  .map(({ form, encoding, algorithm, unit, time, id, parts, keyEncoding, strip, order }) => {
    const signed = ['{body}', ...(time ? ['{time}'] : []), ...(id ? ['{id}'] : []), ...parts]
      .map((part) => ({ part, at: order.next().value }))
      .sort((a, b) => a.at - b.at)
      .map(({ part }) => part);
    const at = form.kind === 'pairs' ? { from: 'pair', name: 't' } : { from: 'header', header: 'X-Time' };
    return {
      kind: 'hmac',
      header: 'X-Sig',
      ...{ form, encoding, algorithm, signed },
      ...(algorithm === 'sha1' && { legacy: true }),
      ...(time && { time: { ...at, unit } }),
      ...(id && { id: { from: 'header', header: 'X-Id' } }),
      key: { encoding: keyEncoding, ...(strip && { strip: 'whsec_' }) },
    } as ProfileInput;
  });

/** Signs as the documentation of a platform would describe it, and shares no code with the verifier. */
function reference(profile: HmacProfile, secret: string, body: Uint8Array, id: string, at: number) {
  const strip = profile.key.strip ?? '';
  const bare = strip !== '' && secret.startsWith(strip) ? secret.slice(strip.length) : secret;
  const key = profile.key.encoding === 'text' ? Buffer.from(bare) : Buffer.from(bare, profile.key.encoding);
  const iso = new Date(at).toISOString();
  const unit = profile.time?.unit;
  const time = unit === 'iso' ? iso : unit === 'ms' ? `${at}` : `${Math.floor(at / 1000)}`;
  const text = profile.signed.map((part) => {
    if (part === '{body}') return Buffer.from(body);
    return Buffer.from(part === '{time}' ? time : part === '{id}' ? id : part);
  });
  const mac = createHmac(profile.algorithm, key).update(Buffer.concat(text)).digest(profile.encoding);
  const shown = {
    whole: mac,
    prefix: `sha256=${mac}`,
    list: `v1a,bm8= v1,${mac}`,
    pairs: `t=${time},v0=00,v1=${mac}`,
  };
  return { 'X-Sig': shown[profile.form.kind], 'X-Time': time, 'X-Id': id };
}

const RUNS = sized({ short: 300, middle: 5_000, long: 50_000 });

describe('the verifier of a profile', () => {
  it('accepts what a direct reference signs, and rejects a change of body, time, id, secret or signature', () => {
    const secrets = fc.record({
      bytes: fc.uint8Array({ minLength: 12, maxLength: 40 }),
      body: fc.uint8Array({ minLength: 1, maxLength: 60 }),
      id: fc.stringMatching(/^[a-z0-9]{1,20}$/),
      age: fc.integer({ min: -299, max: 299 }),
      at: fc.nat(),
    });
    fc.assert(
      fc.property(profiles, secrets, (input, { bytes, body, id, age, at }) => {
        const profile = profileOf(input) as HmacProfile;
        const { encoding, strip = '' } = profile.key;
        const inner = Buffer.from(bytes).toString(encoding === 'text' ? 'hex' : encoding);
        const secret = strip + inner;
        const sent = reference(profile, secret, body, id, NOW - age * 1000);
        const verify = compileVerifier(profile);
        const outcome = (headers: Record<string, string>, of: Uint8Array, withSecret: string) =>
          verify(headersOf(headers), of, senderKey(profile, withSecret), NOW).outcome;

        expect(outcome(sent, body, secret)).to.equal('verified');
        const changedBody = body.map((byte, index) => (index === at % body.length ? byte ^ 1 : byte));
        expect(outcome(sent, changedBody, secret)).to.equal('signature_invalid');
        const other = Buffer.from(bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte)));
        const otherSecret = strip + other.toString(encoding === 'text' ? 'hex' : encoding);
        expect(outcome(sent, body, otherSecret)).to.equal('signature_invalid');
        const mac = sent['X-Sig'];
        const last = mac.replace(/.(?==*$)/, (character) => (character === '0' ? '1' : '0'));
        // The last character of base64 can have bits that belong to no byte, so the one in front of it is changed too.
        const changed = last.replace(/.(?=.=*$)/, (character) => (character === '0' ? '1' : '0'));
        expect(outcome({ ...sent, 'X-Sig': changed }, body, secret)).to.equal('signature_invalid');
        if (profile.id !== undefined)
          expect(outcome({ ...sent, 'X-Id': `${id}0` }, body, secret)).to.equal('signature_invalid');
        if (profile.time !== undefined) {
          const later = reference(profile, secret, body, id, NOW - age * 1000 + (age > 0 ? 1000 : -1000));
          const swapped =
            profile.time.from === 'pair'
              ? {
                  ...sent,
                  'X-Sig': sent['X-Sig'].replace(/^t=[^,]*/, (later['X-Sig'].match(/^t=[^,]*/) ?? [''])[0]),
                }
              : { ...sent, 'X-Time': later['X-Time'] };
          expect(outcome(swapped, body, secret)).to.equal('signature_invalid');
          const old = reference(profile, secret, body, id, NOW - 301_000);
          expect(outcome(old, body, secret)).to.equal('timestamp_expired');
          const ahead = reference(profile, secret, body, id, NOW + 302_000);
          expect(outcome(ahead, body, secret)).to.equal('timestamp_expired');
        }
      }),
      { numRuns: RUNS },
    );
  });
});
