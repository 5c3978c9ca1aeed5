import { REFUSALS } from '@sluice/ingress/answer/refusal';
import { createExplainSignature } from '@sluice/ingress/verify/explain-signature';
import { verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';
import { useIngress } from '../support/ingress.ts';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';

describe('ingress: the slip in a signature', () => {
  const ingress = useIngress();

  for (const [name, change, told] of [
    ['a newline', (secret: string) => `${secret}\n`, 'newline'],
    ['quotes', (secret: string) => `"${secret}"`, 'quotes'],
    ['no prefix', (secret: string) => secret.slice('whsec_'.length), 'whsec_'],
  ] as const)
    it(`${name}: the 401 and its log row name it, and contain no secret`, async () => {
      const source = await ingress.addSource();
      const request = signed({ secret: change(source.secret), body: upsertBody() });
      const answer = await post(ingress.url + source.path, request);
      expect([answer.status, answer.body.code]).to.deep.equal([401, 'signature_invalid']);
      expect(answer.body.detail).to.contain(told);
      const rows = (await ingress.enqueuedRefusals()).filter(
        ({ source_id }) => source_id === source.sourceId,
      );
      expect(rows.map(({ reason }) => reason)).to.deep.equal([answer.body.detail]);
    });

  it('a secret that was not right in any form gets the usual 401', async () => {
    const source = await ingress.addSource();
    const request = signed({ secret: (await ingress.addSource()).secret, body: upsertBody() });
    const answer = await post(ingress.url + source.path, request);
    expect(answer.body.detail).to.equal(REFUSALS.signature_invalid.detail);
  });

  it('is named for the first 100 rows of a minute, and not for requests that are only counted', async () => {
    const source = await ingress.addSource();
    const details: string[] = [];
    for (let i = 0; i < 105; i++) {
      const request = signed({ secret: `${source.secret}\n`, body: upsertBody() });
      details.push((await post(ingress.url + source.path, request)).body.detail);
    }
    expect(details.slice(0, 90).every((detail) => detail.includes('newline'))).to.equal(true);
    expect(details.filter((detail) => !detail.includes('newline'))).to.have.length.within(0, 5);
  });
});

describe('ingress: what explanations of wrong signatures may cost', () => {
  it('is 8 MiB of hashed bodies a second; beyond that the usual text', () => {
    let nowMs = 0;
    const explain = createExplainSignature(() => nowMs);
    const secret = 'whsec_0123456789';
    const { body, headers } = signed({ secret: `${secret}\n`, body: 'x'.repeat(256 * 1024) });
    const explained = () =>
      explain({
        source: { key: verifyingKey(secret) },
        refusal: REFUSALS.signature_invalid,
        bytes: body,
        headers: { signature: headers['x-service-signature'], timestamp: headers['x-service-timestamp'] },
        values: {},
      }).detail.includes('newline');
    expect([explained(), explained()]).to.deep.equal([true, false]);
    nowMs = 1000;
    expect([explained(), explained()]).to.deep.equal([true, false]);
  });
});
