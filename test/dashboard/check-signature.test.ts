import { signBody } from '@sluice/signature/sign';
import { expect } from 'chai';
import { checkSignature } from '../../services/dashboard/src/pages/source/signature/check-signature.ts';

const secret = 'whsec_4fJ2kLm9QpRs7TuVwXyZ1aBcDeFgHiJkLmNoPqRsTuV';
const timestamp = '1795244762';
const body = '{"action":"cancel","event":{"title":"Über","n":[1,2]}}';
const sign = (key: string, text: string, at = timestamp) =>
  signBody({ secret: key, timestamp: at, body: Buffer.from(text) });
const right = sign(secret, body);
const slipOf = async (signature: string, more = {}) =>
  (await checkSignature({ body, timestamp, signature, secret, ...more })).slip ?? '';

describe('dashboard: the check of a signature', () => {
  it('computes the signature that the webhook expects', async () => {
    const check = await checkSignature({ body, timestamp, signature: right, secret });
    expect(check).to.deep.equal({ expected: right, matches: true, slip: null });
  });

  it('names the likely mistake', async () => {
    expect(await slipOf('')).to.contain('no signature');
    expect(await slipOf(` ${right}\n`)).to.contain('blanks or line breaks');
    expect(await slipOf(right.slice(7))).to.contain('lacks sha256=');
    expect(await slipOf(`sha256=${right.slice(7).toUpperCase()}`)).to.contain('upper case');
    expect(await slipOf(Buffer.from(right.slice(7), 'hex').toString('base64'))).to.contain('base64');
    expect(await slipOf(sign(`${secret}\n`, body))).to.contain('newline after the secret');
    expect(await slipOf(sign(secret.slice(6), body))).to.contain('without whsec_');
    expect(await slipOf(sign(secret, body), { secret: `"${secret}"` })).to.contain('quotes or blanks');
    expect(await slipOf(sign(secret, JSON.stringify(JSON.parse(body), null, 2)))).to.contain('reformatted');
    expect(
      await slipOf(sign(secret, '{"action": "cancel", "event": {"title": "Über", "n": [1, 2]}}')),
    ).to.contain('reformatted');
    expect(await slipOf(sign('whsec_other', body))).to.equal('');
  });

  it('works with an empty secret, which WebCrypto does not accept as a key', async () => {
    const { matches } = await checkSignature({ body, timestamp, signature: sign('', body), secret: '' });
    expect(matches).to.equal(true);
  });
});
