import { pick } from '@sluice/signature/sender/pointer';
import { readProfile } from '@sluice/signature/sender/profile';
import { describeSecretFault } from '@sluice/signature/sender/sender-key';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { profileOf, verdictOf } from './support.ts';

const RIGHT = { kind: 'hmac' as const, header: 'X-Sig', encoding: 'hex' as const, signed: ['{body}'] };
const TIMED = { ...RIGHT, signed: ['{time}', '{body}'] };
const time = { from: 'header', header: 'X-Time', unit: 's' } as const;

describe('a profile', () => {
  const wrong: readonly (readonly [what: string, profile: unknown, pointer: string, detail: RegExp])[] = [
    ['without a kind', {}, '/kind', /one of: hmac, token, basic/],
    ['with an unknown key', { ...RIGHT, sgined: [] }, '/sgined', /Correct the name/],
    ['with an unknown key inside', { ...RIGHT, key: { encoding: 'text', trim: 1 } }, '/key/trim', /Correct/],
    ['that does not sign the body', { ...RIGHT, signed: ['{time}'], time }, '/signed', /Lacks \{body\}/],
    ['that signs an unknown part', { ...RIGHT, signed: ['{body}', '{url}'] }, '/signed/1', /Send a literal/],
    ['that signs a time from nowhere', { ...RIGHT, signed: ['{time}', '{body}'] }, '/signed', /"time"/],
    ['that signs an id from nowhere', { ...RIGHT, signed: ['{id}', '{body}'] }, '/signed', /"id"/],
    ['with a time that is not signed', { ...RIGHT, time }, '/time', /a replay could change it/],
    ['with an id that is not signed', { ...RIGHT, id: { from: 'header', header: 'X-Id' } }, '/id', /replay/],
    ['with SHA-1 unseen', { ...RIGHT, algorithm: 'sha1' }, '/algorithm', /"legacy": true/],
    ['with a long tolerance', { ...TIMED, time: { ...time, tolerance: 90_000 } }, '/time/tolerance', /86400/],
    [
      'with a short tolerance',
      { ...TIMED, time: { ...time, tolerance: 1 } },
      '/time/tolerance',
      /60 seconds/,
    ],
    ['with three headers', { ...RIGHT, header: ['A', 'B', 'C'] }, '/header', /At most two/],
    ['with a header that is no name', { ...RIGHT, header: 'X Sig' }, '/header/0', /Not a header name/],
    ['that signs with Authorization', { ...RIGHT, header: 'Authorization' }, '/header', /token or basic/],
    [
      'with a pointer without a slash',
      { ...RIGHT, id: { from: 'body', at: 'data.id' } },
      '/id/at',
      /Send \/data\/id/,
    ],
    [
      'with too deep a pointer',
      { ...RIGHT, id: { from: 'body', at: '/a'.repeat(33) } },
      '/id/at',
      /32 levels/,
    ],
    ['with a user that has a colon', { kind: 'basic', user: 'a:b' }, '/user', /no colon/],
    [
      'with a pair in another form',
      { ...RIGHT, signed: ['{time}', '{body}'], time: { from: 'pair', name: 't', unit: 's' } },
      '/time/from',
      /form pairs/,
    ],
  ];
  for (const [what, profile, pointer, detail] of wrong)
    it(`${what} is rejected with a pointer and the cure`, () => {
      const read = readProfile(profile);
      expect(read.outcome).to.equal('invalid');
      const errors = read.outcome === 'invalid' ? read.errors : [];
      expect(errors.map((error) => error.pointer)).to.deep.equal([pointer]);
      expect(errors[0]?.detail).to.match(detail);
    });

  it('can be saved again as it was read', () => {
    const profile = profileOf(RIGHT);
    expect(readProfile(JSON.parse(JSON.stringify(profile)))).to.deep.equal({ outcome: 'valid', profile });
  });
});

describe('a time in the body', () => {
  const profile = profileOf({ ...RIGHT, time: { from: 'body', at: '/sent', unit: 'iso' } });
  const secret = 'a secret of a platform';
  const verdict = (body: string, change = '') => {
    const nowMs = Date.UTC(2026, 11, 1);
    const headers = signAs(profile, { secret, body: Buffer.from(body), id: '', nowMs });
    return verdictOf(profile, { headers, body: body + change, secret, nowMs });
  };

  it('is compared with the clock, after the signature', () => {
    expect(verdict('{"sent":"2026-12-01T00:04:00Z"}').outcome).to.equal('verified');
    expect(verdict('{"sent":"2026-12-01T00:06:00Z"}').outcome).to.equal('timestamp_expired');
    expect(verdict('{"sent":"2026-12-01T00:06:00Z"}', ' ').outcome).to.equal('signature_invalid');
    expect(verdict('not JSON').outcome).to.equal('timestamp_invalid');
  });
});

describe('a pasted secret', () => {
  const text = profileOf(RIGHT);
  const base64 = profileOf({ ...RIGHT, key: { encoding: 'base64', strip: 'whsec_' } });

  it('is rejected with a sentence that does not repeat it', () => {
    const cases = [
      [text, 'correct horse\n', /line break/],
      [text, ' correct horse', /blank/],
      [text, 'short', /5 characters. It needs 12 to 512/],
      [text, 'x'.repeat(513), /513/],
      [base64, 'whsec_not-base64!!', /not base64 after whsec_/],
    ] as const;
    for (const [profile, secret, fault] of cases) {
      expect(describeSecretFault(profile, secret)).to.match(fault);
      expect(describeSecretFault(profile, secret)).not.to.include(secret.trim());
    }
  });

  it('is accepted as the platform shows it', () => {
    expect(describeSecretFault(text, 'correct horse battery')).to.equal(null);
    expect(describeSecretFault(base64, `whsec_${Buffer.alloc(24).toString('base64')}`)).to.equal(null);
  });
});

describe('a pointer', () => {
  it('finds what RFC 6901 says', () => {
    const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'm~n': 8, ' ': 7 };
    const found = ['', '/foo', '/foo/0', '/', '/a~1b', '/m~0n', '/ '].map((at) => pick(document, at));
    expect(found).to.deep.equal([document, ['bar', 'baz'], 'bar', 0, 1, 8, 7]);
  });

  it('finds nothing that an object inherits, no length and no wrong index', () => {
    const none = ['/constructor', '/__proto__', '/foo/length', '/foo/00', '/foo/-', '/foo/0/0', '/missing/x'];
    for (const at of none) expect(pick({ foo: ['bar'] }, at), at).to.equal(undefined);
  });
});
