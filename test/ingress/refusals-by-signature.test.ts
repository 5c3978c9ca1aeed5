import { expect } from 'chai';
import { signed, upsertBody } from '../support/signed.ts';
import { useRefusals } from './support/use-refusals.ts';

/** One test for each check of the endpoint, numbered in the order of docs/errors.md. */
describe('ingress: rejections, in the order of the checks', () => {
  const { source, post, good, expectRefused } = useRefusals();

  const now = () => Math.floor(Date.now() / 1000);

  it('5. a missing signature is 401, even if the timestamp is missing too', async () => {
    await expectRefused(await post({ 'content-type': 'application/json' }, '{}'), 'signature_missing');
  });

  for (const timestamp of ['', 'abc', '1.5', '-5', '1e9', '0x10', ' ']) {
    it(`6. the timestamp "${timestamp}" is 400 timestamp_invalid`, async () => {
      const { body, headers } = good();
      await expectRefused(
        await post({ ...headers, 'x-service-timestamp': timestamp }, body),
        'timestamp_invalid',
      );
    });
  }

  it('6. a missing timestamp is 400 timestamp_invalid', async () => {
    const { body, headers } = good();
    const { 'x-service-timestamp': _, ...rest } = headers;
    await expectRefused(await post(rest, body), 'timestamp_invalid');
  });

  for (const [what, offset] of [
    ['302 seconds old', -302],
    ['302 seconds ahead', 302],
  ] as const) {
    it(`7. a rightly signed timestamp ${what} is 400 timestamp_expired`, async () => {
      const { body, headers } = signed({
        secret: source().secret,
        body: upsertBody(),
        timestamp: now() + offset,
      });
      await expectRefused(await post(headers, body), 'timestamp_expired');
    });
  }

  for (const offset of [-298, 298]) {
    it(`7. a timestamp ${offset} seconds away is accepted`, async () => {
      const { body, headers } = signed({
        secret: source().secret,
        body: upsertBody(),
        timestamp: now() + offset,
      });
      expect((await post(headers, body)).status).to.equal(200);
    });
  }

  it('7. a timestamp in milliseconds is named as such', async () => {
    const { body, headers } = signed({ secret: source().secret, body: upsertBody(), timestamp: Date.now() });
    const answer = await post(headers, body);
    await expectRefused(answer, 'timestamp_expired');
    expect(JSON.parse(answer.text).detail).to.contain('milliseconds');
  });

  const wrongSignatures: [string, (right: string) => string][] = [
    [
      'of another secret',
      () => signed({ secret: 'whsec_other', body: '{}' }).headers['x-service-signature'] as string,
    ],
    ['in upper case', (right) => `sha256=${right.slice(7).toUpperCase()}`],
    ['without its prefix', (right) => right.slice(7)],
    ['one digit short', (right) => right.slice(0, -1)],
    ['one digit long', (right) => `${right}0`],
    ['sent twice', (right) => `${right}, ${right}`],
    ['that is no hex', () => `sha256=${'z'.repeat(64)}`],
  ];
  for (const [what, wrong] of wrongSignatures) {
    it(`8. a signature ${what} is 401 signature_invalid`, async () => {
      const { body, headers } = good();
      const signature = wrong(headers['x-service-signature'] as string);
      await expectRefused(
        await post({ ...headers, 'x-service-signature': signature }, body),
        'signature_invalid',
      );
    });
  }

  it('8. a body changed by one byte is 401 signature_invalid', async () => {
    const { body, headers } = good();
    await expectRefused(await post(headers, `${body} `), 'signature_invalid');
  });
});
