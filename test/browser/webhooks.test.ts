import type { WebhookItem, WebhookWithSecret } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import { until } from '../support/until.ts';
import { serious } from './support/axe.ts';
import { type Look, useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

const LOOKS: Look[] = [
  { width: 1440, scheme: 'light' },
  { width: 360, scheme: 'dark' },
];

describe('browser: webhook subscriptions', function () {
  this.timeout(240_000);
  const at = useBrowser({ dispatchers: 1, env: { OUTBOUND_PRIVATE_NETWORKS: 'true' } });
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

  it('are added from the empty list, show the secret once, and show each message with its attempt', async () => {
    const one = await receiver();
    const page = await at.open('/settings/webhooks', owner);
    await page.getByRole('heading', { name: 'Send changes to another system' }).waitFor();
    await page.getByRole('button', { name: 'Add subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(one.url);
    await dialog.getByLabel('Name').fill('Newsletter');
    await dialog.getByRole('checkbox', { name: /Lead created/ }).check();
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
  });

  it('send only the fields that were edited, so that two open pages do not undo each other', async () => {
    const { webhook } = await subscribe((await receiver()).url, ['lead.created'], 'Two pages');
    const page = await at.open(`/settings/webhooks/${webhook.id}/settings`, owner);
    await page.getByLabel('Name').fill('Renamed');
    const path = `/webhooks/${webhook.id}`;
    await callAs(at.stack, owner, 'PATCH', path, { events: ['lead.created', 'lead.updated'] });
    await page.getByRole('checkbox', { name: /Lead updated/, checked: true }).waitFor();
    await page.getByRole('button', { name: 'Save subscription' }).click();
    await page.getByText('Subscription saved.').waitFor();
    const stored = await callAs<WebhookItem>(at.stack, owner, 'GET', path);
    expect(stored).to.deep.include({ name: 'Renamed', events: ['lead.created', 'lead.updated'] });
  });

  it('say at the field what is wrong with a URL', async () => {
    const page = await at.open('/settings/webhooks', owner);
    await page.getByRole('button', { name: 'Add subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('ftp://crm.example.com/');
    await dialog.getByRole('checkbox', { name: /All events/ }).check();
    await dialog.getByRole('button', { name: 'Add subscription' }).click();
    await dialog.locator('input[type=url][aria-invalid=true]').waitFor();
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
    const page = await at.open(`/settings/webhooks/${id}/settings`, owner);
    await page.getByText('Its API key was revoked').waitFor();
    await page.getByRole('button', { name: 'Adopt' }).click();
    await page.getByText('Its API key was revoked').waitFor({ state: 'detached' });
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

  it('are deleted after a question', async () => {
    const one = await receiver();
    const { webhook } = await subscribe(one.url, ['*'], 'Deleted soon');
    const page = await at.open(`/settings/webhooks/${webhook.id}/settings`, owner);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete subscription' }).click();
    await page.getByRole('heading', { name: 'Webhook subscriptions' }).waitFor();
    await row(page, 'Deleted soon').waitFor({ state: 'detached' });
  });

  it('show a rejected create of a platform with what to do', async () => {
    const { key } = await callAs<{ key: string }>(at.stack, owner, 'POST', '/keys', {
      name: 'Without its scope',
      scopes: ['read:leads'],
    });
    await fetch(`${at.stack.url}/api/public/webhooks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'User-Agent': 'n8n' },
      body: '{"target_url":"https://n8n.example.com/webhook/1","events":["*"]}',
    });
    const page = await at.open('/settings/webhooks', owner);
    await page.getByRole('heading', { name: 'Rejected' }).waitFor();
    await row(page, 'Without its scope')
      .getByText(/webhooks/)
      .first()
      .waitFor();
  });

  for (const look of LOOKS) {
    it(`have no serious axe findings and no overflow: ${look.scheme}, ${look.width} px`, async () => {
      const one = await receiver();
      const { webhook } = await subscribe(one.url, ['*'], `Looked at in ${look.scheme}`);
      await addLead(at.stack, owner, { name: 'Katherine' });
      const page = await at.open('/settings/webhooks', owner, look);
      const check = async (what: string) => {
        expect(await serious(page), what).to.deep.equal([]);
        const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(beyond, what).to.be.at.most(0);
      };
      await row(page, `Looked at in ${look.scheme}`).waitFor();
      await check('list');
      for (const tab of ['messages', 'setup', 'settings']) {
        await page.goto(`${at.stack.url}/settings/webhooks/${webhook.id}/${tab}`);
        await page.getByRole('tab', { selected: true }).waitFor();
        if (tab === 'messages') await page.getByRole('button', { name: /attempts? of/ }).click();
        if (tab === 'settings') await page.getByRole('checkbox', { name: /All events/ }).waitFor();
        await check(tab);
        if (process.env.SCREENSHOTS)
          await page.screenshot({
            path: `${process.env.SCREENSHOTS}/${tab}-${look.scheme}.png`,
            fullPage: true,
          });
      }
      await page.goto(`${at.stack.url}/settings/webhooks`);
      await row(page, `Looked at in ${look.scheme}`).waitFor();
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/list-${look.scheme}.png`, fullPage: true });
    });
  }
});
