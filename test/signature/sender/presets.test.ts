import { createHmac } from 'node:crypto';
import { mapBody } from '@sluice/signature/mapping/map-body';
import type { Preset } from '@sluice/signature/presets/preset';
import { PRESET_NAMES, PRESETS } from '@sluice/signature/presets/presets';
import { sampleBody } from '@sluice/signature/presets/samples';
import { SET_UP } from '@sluice/signature/presets/set-up';
import { STEPS } from '@sluice/signature/presets/steps';
import { compileVerifier } from '@sluice/signature/sender/compile-verifier';
import { senderKey } from '@sluice/signature/sender/sender-key';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { headersOf, verdictOf } from './support.ts';

const NOW = Date.UTC(2026, 11, 1);
const SECONDS = NOW / 1000;
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const BODY = '{"id":"evt_1","event_id":"evt_1","title":"Fähre"}';

const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', SECRET).update(text).digest(encoding);

/** What each platform sends, by its documentation (docs/senders.md). */
const SENT = {
  'standard-webhooks': {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${SECONDS}`,
    'webhook-signature': new Webhook(SECRET).sign('msg_1', new Date(NOW), BODY),
  },
  calendly: { 'Calendly-Webhook-Signature': `t=${SECONDS},v1=${hmac(`${SECONDS}.${BODY}`)}` },
  'cal-com': { 'X-Cal-Signature-256': hmac(BODY) },
  'ticket-tailor': { 'Tickettailor-Webhook-Signature': `t=${SECONDS},v1=${hmac(SECONDS + BODY)}` },
  typeform: { 'Typeform-Signature': `sha256=${hmac(BODY, 'base64')}` },
  github: { 'X-Hub-Signature-256': `sha256=${hmac(BODY)}` },
  stripe: { 'Stripe-Signature': `t=${SECONDS},v1=${hmac(`${SECONDS}.${BODY}`)},v0=00` },
  shopify: { 'X-Shopify-Hmac-Sha256': hmac(BODY, 'base64') },
  hmac: { 'X-Signature': hmac(BODY) },
  token: { Authorization: `Bearer ${SECRET}` },
  basic: { Authorization: `Basic ${Buffer.from(`sluice:${SECRET}`).toString('base64')}` },
} as const;

describe('presets', () => {
  it('have a sample of a body where they map some, which becomes an event', () => {
    const now = Date.parse('2027-02-22T09:30:00Z');
    for (const name of PRESET_NAMES) {
      const { mapping }: Preset = PRESETS[name];
      const sample = sampleBody(name, now);
      expect(sample !== undefined, name).to.equal((mapping?.rules.length ?? 0) > 0);
      if (mapping === undefined || sample === undefined) continue;
      const mapped = mapBody(mapping, sample, () => undefined);
      expect(mapped, name)
        .to.include({ outcome: 'action' })
        .and.have.nested.property('action.kind', 'upsert');
      expect(mapped, name).to.have.nested.property(
        'action.identity.starts_at',
        Date.parse('2027-03-01T10:00:00Z'),
      );
    }
  });

  it('have steps for an admin, which name what each signs', () => {
    for (const name of PRESET_NAMES) {
      const { verify, title } = PRESETS[name];
      const timed = verify.kind === 'hmac' && verify.time !== undefined;
      const signs = timed ? 'time and body' : verify.kind === 'hmac' ? 'body' : 'nothing';
      expect(SET_UP[name], name).to.include({ title, signs });
      // A secret of theirs is pasted here, one of ours there.
      const words = STEPS[name].join(' ');
      expect(words, name).to.match(SET_UP[name].secret === 'theirs' ? /paste it above/ : /signing secret/);
    }
  });

  for (const name of PRESET_NAMES) {
    const profile = PRESETS[name].verify;

    it(`${name}: accepts what the platform sends, and rejects another secret`, () => {
      const sent = { headers: SENT[name], body: BODY, nowMs: NOW };
      expect(verdictOf(profile, { ...sent, secret: SECRET }).outcome).to.equal('verified');
      const secret = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
      expect(verdictOf(profile, { ...sent, secret }).outcome).to.equal('signature_invalid');
    });

    it(`${name}: signAs sends the same`, () => {
      const signed = signAs(profile, { secret: SECRET, body: Buffer.from(BODY), id: 'msg_1', nowMs: NOW });
      const sent = Object.fromEntries(
        Object.entries(SENT[name]).map(([header, value]) => [header, value.replace(',v0=00', '')]),
      );
      expect(signed).to.deep.equal(sent);
    });

    it(`${name}: a request without its header is signature_missing`, () => {
      const verdict = verdictOf(profile, { headers: {}, body: BODY, secret: SECRET });
      expect(verdict.outcome).to.equal('signature_missing');
    });
  }

  it('find the id of a message only where it is signed', () => {
    const ids = PRESET_NAMES.map((name) => {
      const verdict = verdictOf(PRESETS[name].verify, {
        ...{ headers: SENT[name], body: BODY, secret: SECRET, nowMs: NOW },
      });
      return [name, verdict.outcome === 'verified' ? verdict.id : null];
    });
    expect(Object.fromEntries(ids.filter(([, id]) => id !== undefined))).to.deep.equal({
      'standard-webhooks': 'msg_1',
      'ticket-tailor': 'evt_1',
      typeform: 'evt_1',
      stripe: 'evt_1',
    });
  });

  it('standard-webhooks accepts the headers of Svix', () => {
    const headers = Object.fromEntries(
      Object.entries(SENT['standard-webhooks']).map(([name, value]) => [
        name.replace('webhook', 'svix'),
        value,
      ]),
    );
    const verdict = verdictOf(PRESETS['standard-webhooks'].verify, {
      headers,
      body: BODY,
      secret: SECRET,
      nowMs: NOW,
    });
    expect(verdict.outcome).to.equal('verified');
  });
});

describe('signatures in a header', () => {
  const stripe = PRESETS.stripe.verify;
  const right = hmac(`${SECONDS}.${BODY}`);
  const check = (value: string) =>
    verdictOf(stripe, { headers: { 'Stripe-Signature': value }, body: BODY, secret: SECRET, nowMs: NOW });

  it('are tried up to the fifth, so that a sender can rotate', () => {
    const wrong = (count: number) => `,v1=${'0'.repeat(64)}`.repeat(count);
    expect(check(`t=${SECONDS}${wrong(4)},v1=${right}`).outcome).to.equal('verified');
    expect(check(`t=${SECONDS}${wrong(5)},v1=${right}`).outcome).to.equal('signature_invalid');
  });

  it('have the same digest in upper case, so that a copy is a duplicate', () => {
    const digest = (value: string) => {
      const verdict = check(value);
      return verdict.outcome === 'verified' && verdict.digest;
    };
    expect(digest(`t=${SECONDS},v1=${right.toUpperCase()}`)).to.equal(right);
    expect(digest(`t=${SECONDS},v1=${right}`)).to.equal(right);
  });

  it('of another form are explained with the form of the profile', () => {
    expect(check(`t=${SECONDS},v2=${right}`)).to.deep.equal({
      outcome: 'signature_invalid',
      detail: 'Stripe-Signature is not v1= and the hex of the HMAC.',
    });
    expect(check(`v1=${right}`)).to.deep.equal({
      outcome: 'timestamp_invalid',
      detail: 't of Stripe-Signature is missing.',
    });
    expect(check(`t=soon,v1=${right}`)).to.deep.equal({
      outcome: 'timestamp_invalid',
      detail: 't of Stripe-Signature is not Unix time in seconds.',
    });
  });

  it('in a header that is sent twice are never read', () => {
    const headers = {
      ...headersOf({ 'Stripe-Signature': `t=${SECONDS},v1=${right}` }),
      isRepeated: () => true,
    };
    const verdict = compileVerifier(stripe)(headers, Buffer.from(BODY), senderKey(stripe, SECRET), NOW);
    expect(verdict).to.deep.equal({
      outcome: 'signature_invalid',
      detail: 'The header Stripe-Signature is sent twice. Send it once.',
    });
  });
});
