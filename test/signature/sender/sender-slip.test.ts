import { createHmac } from 'node:crypto';
import { PRESETS } from '@sluice/signature/presets/presets';
import type { ProfileInput } from '@sluice/signature/sender/profile';
import { senderKey } from '@sluice/signature/sender/sender-key';
import { describeSenderSlip } from '@sluice/signature/sender/sender-slip';
import { expect } from 'chai';
import { profileOf } from './support.ts';

const RAW = Buffer.alloc(24, 7).toString('base64');
const SECRET = `whsec_${RAW}`;
const BODY = '{"a":1}';
const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', key).update(text).digest(encoding);

function slip(input: ProfileInput, headers: Record<string, string>, secret = SECRET): string | null {
  const profile = profileOf(input);
  if (profile.kind !== 'hmac') throw new Error('not an HMAC');
  const key = senderKey(profile, secret);
  return describeSenderSlip({ profile, key, headers, bytes: Buffer.from(BODY) });
}

describe('the mistake behind a wrong signature of another sender', () => {
  const { github, stripe, 'standard-webhooks': standard } = PRESETS;
  const timed = (signature: string) => ({ 'stripe-signature': `t=5,v1=${signature}` });
  const hub = (signature: string) => ({ 'x-hub-signature-256': signature });

  for (const [what, profile, headers, expected] of [
    ['another encoding', github.verify, hub(`sha256=${hmac(SECRET, BODY, 'base64')}`), 'the hex of the HMAC'],
    ['no prefix', github.verify, hub(hmac(SECRET, BODY)), 'expects sha256= and the hex'],
    ['the body alone', stripe.verify, timed(hmac(SECRET, BODY)), 'covers the body alone'],
    [
      'a decoded key',
      stripe.verify,
      timed(hmac(Buffer.from(RAW, 'base64'), `5.${BODY}`)),
      'encodes in base64',
    ],
    ['a key without its prefix', github.verify, hub(`sha256=${hmac(RAW, BODY)}`), 'without whsec_'],
    ['a newline', github.verify, hub(`sha256=${hmac(`${SECRET}\n`, BODY)}`), 'newline at its end'],
    [
      'the text of a key',
      standard.verify,
      {
        ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': '5' },
        'webhook-signature': `v1,${hmac(SECRET, `msg_1.5.${BODY}`, 'base64')}`,
      },
      'the text of the secret',
    ],
  ] as const)
    it(`is named: ${what}`, () => {
      expect(slip(profile, headers))
        .to.match(/signed with the right secret, but/)
        .and.contain(expected);
    });

  it('is not named for another secret, a header that is missing or sent twice, and without the secret in it', () => {
    const right = `sha256=${hmac(SECRET, BODY)}`;
    const others = [
      slip(github.verify, hub(`sha256=${hmac('another secret', BODY)}`)),
      slip(github.verify, {}),
      slip(github.verify, hub(`${right}, ${right}`)),
      slip(github.verify, hub('')),
    ];
    expect(others).to.deep.equal([null, null, null, null]);
    expect(slip(github.verify, hub(hmac(SECRET, BODY)))).not.to.contain(RAW);
  });
});
