import type { WebhookItem, WebhookWithSecret } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import { until } from '../support/until.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: webhook subscriptions', () => {
  const at = useBrowser({ dispatchers: 1 });
  let owner: Person;
  const receivers: Receiver[] = [];
  const receiver = async (answer?: Receiver['answer']) => {
    const one = await startReceiver(answer);
    receivers.push(one);
    return one;
  };
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });
  after(() => Promise.all(receivers.map((one) => one.close())));

  const subscribe = (target_url: string, events = ['lead.created'], name = 'CRM') =>
    callAs<WebhookWithSecret>(at.stack, owner, 'POST', '/webhooks', { target_url, events, name });
  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

  it('are added with a valid URL, show the secret once, and show each message with its attempt', async () => {
    const one = await receiver();
    const page = await at.open('/settings/webhooks', owner);
    await page.getByRole('heading', { name: 'Send changes to another system' }).waitFor();
    await page.getByRole('button', { name: 'Add subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('ftp://crm.example.com/');
    await dialog.getByRole('checkbox', { name: /Lead created/ }).check();
    await dialog.getByRole('button', { name: 'Add subscription' }).click();
    await dialog.locator('input[type=url][aria-invalid=true]').waitFor();
    await dialog.getByLabel('URL').fill(one.url);
    await dialog.getByLabel('Name').fill('Newsletter');
    await dialog.getByRole('button', { name: 'Add subscription' }).click();
    const secret = (await dialog.getByRole('textbox', { name: 'Secret' }).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Set up the receiver' }).click();
    await page.getByRole('heading', { name: /Newsletter/ }).waitFor();
    expect(await page.content()).not.to.contain(secret);
    await page.getByRole('tab', { name: 'Messages' }).click();
    await page.getByText('No messages yet').waitFor();
    await addLead(at.stack, owner, { name: 'Ada' });
    await row(page, 'lead.created').getByText('delivered', { exact: true }).waitFor();
    const [message] = one.received;
    new Webhook(secret).verify(message?.text ?? '', message?.headers as Record<string, string>);
    await page.getByRole('button', { name: `1 attempt of ${message?.id}` }).click();
    await page.getByRole('button', { name: 'Resend' }).click();
    await until(() => one.received.length === 2);
    expect(one.received[1]?.id).to.equal(message?.id);
    await page.getByText('resent').waitFor();
    await expectSound(page, 'Messages');
  });

  it('change only the fields that were edited, so that open pages do not undo each other, and are deleted after a question', async () => {
    const { webhook } = await subscribe((await receiver()).url, ['lead.created'], 'Two pages');
    const page = await at.open(`/settings/webhooks/${webhook.id}/settings`, owner);
    await page.getByLabel('Name').fill('Renamed');
    const path = `/webhooks/${webhook.id}`;
    await callAs(at.stack, owner, 'PATCH', path, { events: ['lead.created', 'lead.updated'] });
    await page.getByRole('checkbox', { name: /Lead updated/, checked: true }).waitFor();
    await page.getByRole('button', { name: 'Save subscription' }).click();
    await page.getByText('Subscription saved.').waitFor();
    await expectSound(page, 'Settings');
    const stored = await callAs<WebhookItem>(at.stack, owner, 'GET', path);
    expect(stored).to.deep.include({ name: 'Renamed', events: ['lead.created', 'lead.updated'] });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete subscription' }).click();
    await page.getByRole('heading', { name: 'Webhook subscriptions' }).waitFor();
    await row(page, 'Renamed').waitFor({ state: 'detached' });
  });

  it('show what a failing receiver answered and when the next attempt is', async () => {
    const one = await receiver((_received, response) => response.writeHead(500).end('no room on the disk'));
    const { webhook } = await subscribe(one.url, ['lead.created'], 'Broken');
    await addLead(at.stack, owner, { name: 'Grace' });
    const page = await at.open(`/settings/webhooks/${webhook.id}/messages`, owner);
    const waiting = row(page, 'lead.created');
    await waiting.getByText(/next in/).waitFor();
    await waiting.getByRole('button', { name: /attempts? of/ }).click();
    await page.getByText('no room on the disk').waitFor();
    await page.getByLabel('Status').selectOption('delivered');
    await page.getByText('No messages with this status').waitFor();
    await page.goto(`${at.stack.url}/settings/webhooks`);
    await row(page, 'Broken').getByText('0 %').waitFor();
    await row(page, 'Broken').getByText('retrying', { exact: true }).waitFor();
    await row(page, 'Broken')
      .getByText(/1, (next in|due now|sending now)/)
      .waitFor();
    await page.goto(`${at.stack.url}/settings/webhooks/${webhook.id}/messages`);
    await page.getByText(/The receiver first failed .* and has accepted no message since\./).waitFor();
    await page.getByText('retrying', { exact: true }).waitFor();
  });

  it('are tested, with what the receiver answered, and get again what they missed', async () => {
    let broken = true;
    const one = await receiver((_received, response) => response.writeHead(broken ? 404 : 200).end());
    const { webhook } = await subscribe(one.url, ['lead.created'], 'Tested');
    const page = await at.open(`/settings/webhooks/${webhook.id}/messages`, owner);
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('status').getByText(/404/).waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Send test' }).click();
    await page
      .getByRole('status')
      .getByText(/Delivered/)
      .waitFor();
    await row(page, one.received[1]?.id ?? '')
      .getByRole('button', { name: /attempt/ })
      .click();
    await page.getByText('Send a new test to repeat it.').waitFor();
    expect(await page.getByRole('button', { name: 'Resend' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Recover' }).click();
    await page.getByText('Nothing was missed').waitFor();
  });

  it('are paused and resumed, and what waited meanwhile is sent', async () => {
    const one = await receiver();
    const { webhook } = await subscribe(one.url, ['lead.created'], 'Paused');
    const page = await at.open(`/settings/webhooks/${webhook.id}/settings`, owner);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('An admin paused it').waitFor();
    await addLead(at.stack, owner, { name: 'Linus' });
    await page.getByRole('tab', { name: 'Messages' }).click();
    await row(page, 'lead.created').getByText('waiting', { exact: true }).waitFor();
    expect(one.received).to.have.length(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await row(page, 'lead.created').getByText('delivered', { exact: true }).waitFor();
  });

  it('of a revoked key are adopted, and their secret is rotated', async () => {
    const one = await receiver();
    const made = await callAs<{ key: string; item: { key_id: string } }>(at.stack, owner, 'POST', '/keys', {
      name: 'n8n',
      scopes: ['webhooks'],
    });
    const created = await fetch(`${at.stack.url}/api/public/webhooks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${made.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ target_url: one.url, events: ['*'], client: { platform: 'n8n' } }),
    });
    expect(created.status).to.equal(201);
    const { id } = (await created.json()) as { id: string };
    await callAs(at.stack, owner, 'POST', `/keys/${made.item.key_id}/revoke`);
    const page = await at.open(`/settings/webhooks/${id}/messages`, owner);
    await page.getByText('Its API key was revoked').waitFor();
    await page.getByText('Nothing is sent until it is adopted.').first().waitFor();
    for (const name of ['Send test', 'Recover'])
      expect(await page.getByRole('button', { name }).isDisabled(), name).to.equal(true);
    await page.getByRole('button', { name: 'Adopt' }).click();
    await page.getByText('Recover sends what was missed.').waitFor();
    await page.getByText('Its API key was revoked').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^n8n cannot ask for the new secret.*publish it again/).waitFor();
    await dialog.getByLabel('Old secret').selectOption('none');
    await dialog.getByRole('button', { name: 'Rotate now' }).click();
    const secret = (await dialog.getByRole('textbox', { name: 'Secret' }).textContent()) ?? '';
    await addLead(at.stack, owner, { name: 'Barbara' });
    await until(() => one.received.length === 1);
    const [message] = one.received;
    new Webhook(secret).verify(message?.text ?? '', message?.headers as Record<string, string>);
  });

  it('of a platform are on Integrations with their workflow and last message, and so are rejected ones', async () => {
    const one = await receiver((_received, response) => response.writeHead(404).end('not registered'));
    /** Subscribes as n8n does, with a key that has these scopes. */
    const connect = async (name: string, scopes: readonly string[]) => {
      const made = await callAs<{ key: string }>(at.stack, owner, 'POST', '/keys', { name, scopes });
      return fetch(`${at.stack.url}/api/public/webhooks`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${made.key}`,
          'Content-Type': 'application/json',
          'User-Agent': 'n8n',
        },
        body: JSON.stringify({
          target_url: one.url,
          events: ['lead.created'],
          client: {
            platform: 'n8n',
            workflow_name: 'Leads to Slack',
            workflow_url: 'https://n8n.example.com/workflow/1',
          },
        }),
      });
    };
    expect((await connect('Connected', ['webhooks'])).status).to.equal(201);
    expect((await connect('Without its scope', ['read:leads'])).status).to.equal(403);
    await addLead(at.stack, owner, { name: 'Radia' });
    const page = await at.open('/settings/integrations', owner);
    const connected = row(page, 'n8n, workflow Leads to Slack');
    await connected.getByText(/404/).waitFor();
    await connected.getByText(/ago|now/).waitFor();
    await connected.getByText('with the key Connected').waitFor();
    const link = connected.getByRole('link', { name: 'open in n8n.example.com' });
    expect(await link.getAttribute('href')).to.equal('https://n8n.example.com/workflow/1');
    const rejected = row(page, 'Without its scope')
      .getByText(/webhooks/)
      .first();
    await page.getByRole('heading', { name: 'Tried to connect, and was rejected' }).waitFor();
    await rejected.waitFor();
    await page.goto(`${at.stack.url}/settings/webhooks`);
    await page.getByRole('heading', { name: 'Rejected' }).waitFor();
    await rejected.waitFor();
    await expectSound(page, 'list');
  });
});
