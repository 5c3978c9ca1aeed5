import type { TestSent } from '@sluice/dashboard-api/test-send';
import { expect } from 'chai';
import { upsertBody } from '../support/signed.ts';
import { useInstallation } from './support/installation.ts';

describe('api: test requests, on a running installation', () => {
  const at = useInstallation();

  it('go through the real ingress, valid or with the requested error', async () => {
    const source = await at.addSource();
    const body = JSON.stringify(upsertBody());
    const send = async (how: string) => {
      const answer = await at.owner.call('post', `/sources/${source.id}/test`, { body, break: how });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.text).not.to.contain(source.secret);
      const said = JSON.parse(answer.body.answer.body);
      return said.code ?? (said.duplicate ? 'duplicate' : said.status);
    };
    const expected = {
      none: 'ok',
      bad_signature: 'signature_invalid',
      no_signature: 'signature_missing',
      old_timestamp: 'timestamp_expired',
      milliseconds: 'timestamp_expired',
      missing_title: 'validation_failed',
      no_offset: 'ok',
      bad_date: 'validation_failed',
      broken_json: 'malformed_json',
      twice: 'duplicate',
    };
    for (const [how, code] of Object.entries(expected)) expect(await send(how), how).to.equal(code);
  });

  it('are shown as a sender would send them, with a shortened signature', async () => {
    const { id } = await at.addSource();
    const body = JSON.stringify(upsertBody());
    const answer = await at.owner.call('post', `/sources/${id}/test`, { body, break: 'none' });
    const { request } = answer.body as TestSent;
    expect(request).to.include({ url: `https://events.example.com/api/v1/events/webhook/${id}`, body });
    expect(request.headers).to.have.keys(
      'content-type',
      'user-agent',
      'x-service-timestamp',
      'x-service-signature',
    );
    expect(request.headers['x-service-signature']).to.match(/^sha256=[0-9a-f]{8}…$/);
  });

  for (const [preset, shown] of [
    ['standard-webhooks', { 'webhook-id': /^req_\w+$/, 'webhook-signature': /^v1,.{8}…$/ }],
    ['stripe', { 'Stripe-Signature': /^t=\d{10},v1=[0-9a-f]{8}…$/ }],
    ['token', { Authorization: /^…$/ }],
  ] as const)
    it(`of ${preset} have only their signature shortened`, async () => {
      const { id } = await at.addSource();
      await at.owner.call('put', `/sources/${id}/sender`, { preset });
      const answer = await at.owner.call('post', `/sources/${id}/test`, { body: '{}', break: 'none' });
      const { headers } = (answer.body as TestSent).request;
      for (const [name, pattern] of Object.entries(shown)) expect(headers[name], name).to.match(pattern);
    });
});
