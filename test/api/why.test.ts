import { explain } from '@sluice/api/deliveries/why';
import type { Delivery, SignedWith } from '@sluice/contract/delivery/delivery';
import { type ProblemCode, WEBHOOK_CHECKS } from '@sluice/contract/problem/problem';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { type PresetName, senderOf } from '@sluice/signature/presets/presets';
import { expect } from 'chai';

const NOW = Date.UTC(2026, 10, 1);
const SIGNATURE = 'The signature matches the timestamp, body and secret';
const OLD = `${SIGNATURE} (it matches the secret before the last rotation)`;
const NEITHER = `${SIGNATURE} (it matches neither this secret nor the one before)`;

describe('api: the explanation of a delivery', () => {
  const refused = (code: ProblemCode, rest: Partial<Delivery> = {}) =>
    explain({ code, http_status: 401, count: 1, reason: null, ...rest } as Delivery, {
      overlapUntil: null,
      now: NOW,
    });
  const accepted = (signed_with: SignedWith | undefined, overlapUntil: number | null) =>
    explain({ code: null, outcome: 'created', signed_with } as Delivery, { overlapUntil, now: NOW });

  it('shows the checks up to the failed one, and the fix', () => {
    const why = refused('timestamp_expired');
    expect(why?.checks.map(({ passed }) => passed)).to.deep.equal([true, true, true, true, true, false]);
    expect(why?.checks.at(-1)?.name).to.equal('The timestamp is at most 300 seconds off');
    expect(why?.fix).to.contain('Check the clock of the sender');
  });

  it('differs for each code, with one failed check', () => {
    const codes = WEBHOOK_CHECKS.flatMap(([, ...ofCheck]) => ofCheck as ProblemCode[]);
    const texts = codes.map((code) => {
      const why = refused(code);
      expect(why?.checks.filter(({ passed }) => !passed).length, code).to.equal(1);
      return `${why?.title} ${why?.fix}`;
    });
    expect(new Set(texts).size).to.equal(codes.length);
  });

  for (const [signed_with, title, check, fix] of [
    ['previous', 'Signed with the old secret', OLD, 'Configure the new signing secret'],
    ['neither', 'Signature invalid', NEITHER, 'Was the secret rotated?'],
    [undefined, 'Signature invalid', SIGNATURE, 'Was the secret rotated?'],
  ] as const) {
    it(`states which secret a wrong signature matches: ${signed_with ?? 'unknown'}`, () => {
      const why = refused('signature_invalid', signed_with === undefined ? {} : { signed_with });
      expect(why?.title).to.equal(title);
      expect(why?.checks.at(-1)).to.deep.equal({ name: check, passed: false });
      expect(why?.fix).to.contain(fix);
    });
  }

  it('names the header, the checks and the fix of another sender', () => {
    const why = (code: ProblemCode, preset: PresetName) =>
      explain(
        { code, http_status: 401, count: 1, reason: null } as Delivery,
        { overlapUntil: null, now: NOW },
        senderOf(preset),
      );
    const checks = (code: ProblemCode, preset: PresetName) =>
      why(code, preset)
        ?.checks.slice(3)
        .map(({ name }) => name);
    const header = 'The Calendly-Webhook-Signature header is present';
    expect(checks('signature_missing', 'calendly')).to.deep.equal([header]);
    expect(why('signature_missing', 'calendly')?.fix).to.contain('Set up lists the steps for Calendly');
    expect(checks('timestamp_expired', 'calendly')?.at(-1)).to.equal('That time is at most 300 seconds off');
    expect(checks('signature_invalid', 'github')).to.deep.equal([
      'The X-Hub-Signature-256 header is present',
      'The signature matches the body and secret',
    ]);
    expect(why('signature_invalid', 'github')?.fix).to.contain('with that of GitHub');
    expect(checks('signature_invalid', 'basic')).to.deep.equal([
      'The Authorization header is present',
      'The secret matches',
    ]);
    // The sender was changed since.
    expect(why('timestamp_expired', 'github')?.checks.filter(({ passed }) => !passed)).to.have.length(1);
  });

  it('states that valid signatures are accepted even over the limit of wrong ones', () => {
    const why = refused('too_many_bad_signatures', { signed_with: 'previous', count: 7 });
    expect(why?.title).to.match(/\(7 requests in one minute\)$/);
    expect(why?.fix).to.contain('Requests with a valid signature are always accepted');
  });

  it('states how long the old secret is still accepted, and is empty for other accepted deliveries', () => {
    expect(accepted(undefined, null)).to.equal(null);
    expect(accepted('previous', NOW + HOUR_MS)?.title).to.equal(
      'Accepted, but with the old secret: 60 min left',
    );
    expect(accepted('previous', NOW + 26 * HOUR_MS)?.title).to.match(/: 26 h left$/);
    const over = accepted('previous', null);
    expect(over?.title).to.equal('Accepted, but with the old secret');
    expect(over?.what).to.contain('Requests signed with it now get 401');
    expect(over?.checks.filter(({ name }) => name === OLD)).to.have.length(1);
    expect(over?.checks.every(({ passed }) => passed)).to.equal(true);
  });
});
