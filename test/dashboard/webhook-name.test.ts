import { webhookName } from '@sluice/contract/subscription/subscription-name';
import type { WebhookItem } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import { integrationName, webhookOrigin } from '../../services/dashboard/src/pages/webhooks/webhook-name.ts';

const KEY = { id: 'key_1', name: 'CRM' };
const unnamed = (target_url: string, name: string | null = null) =>
  ({ target_url, name, client: null, key: KEY }) as WebhookItem;

describe('dashboard: the name of a webhook subscription', () => {
  for (const [url, name] of [
    ['https://hooks.example.com/', 'hooks.example.com'],
    ['https://hooks.example.com/leads', 'hooks.example.com/leads'],
    ['https://hooks.example.com:8443/leads?token=secret', 'hooks.example.com:8443/leads'],
    ['https://hooks.example.com/hooks/catch/123456/b7k2x9q', 'hooks.example.com/…/123456/b7k2x9q'],
    ['https://hooks.example.com/hooks/catch/123456/c8m3z1r', 'hooks.example.com/…/123456/c8m3z1r'],
  ] as const)
    it(`is ${name} for ${url} without a name`, () => {
      expect(webhookName(unnamed(url))).to.equal(name);
      expect(integrationName(unnamed(url))).to.equal(name);
    });

  it('is not repeated in the line below it', () =>
    expect(webhookOrigin(unnamed('https://hooks.example.com/leads'))).to.equal('by the key CRM'));

  it('has the address below it if it is a name', () =>
    expect(webhookOrigin(unnamed('https://hooks.example.com/leads', 'Newsletter'))).to.equal(
      'hooks.example.com/leads, by the key CRM',
    ));
});
