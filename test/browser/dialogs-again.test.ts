import type { WebhookWithSecret } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import { startReceiver } from '../dispatcher/support/receiver.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';

const FAILED = { status: 500, json: { code: 'internal_error', detail: 'It did not work.' } };

describe('browser: dialogs that are opened again', function () {
  this.timeout(120_000);
  const at = useBrowser({ dispatchers: 1 });

  it('show no error of the time before', async () => {
    const owner = await at.stack.person('owner');
    const lead = await addLead(at.stack, owner, { name: 'Asked twice' });
    const page = await at.open(`/leads?lead=${lead.id}`, owner);
    await page.route(`**/leads/${lead.id}`, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill(FAILED),
    );
    const ask = page.getByRole('button', { name: 'Erase lead' });
    const dialog = page.getByRole('dialog', { name: 'Erase “Asked twice”?' });
    await ask.click();
    await dialog.getByRole('button', { name: 'Erase permanently' }).click();
    await dialog.getByText('It did not work.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ask.click();
    await dialog.getByText('This removes the lead').waitFor();
    expect(await dialog.getByText('It did not work.').count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Erase permanently' }).click();
    await dialog.getByText('It did not work.').waitFor();
  });

  it('stay open until a confirmed action has ended, so that its error is seen', async () => {
    const owner = await at.stack.person('owner');
    const lead = await addLead(at.stack, owner, { name: 'Slowly' });
    const page = await at.open(`/leads?lead=${lead.id}`, owner);
    let fail = () => {};
    const held = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route(`**/leads/${lead.id}`, async (route) => {
      if (route.request().method() === 'GET') return route.fallback();
      await held;
      return route.fulfill(FAILED);
    });
    await page.getByRole('button', { name: 'Erase lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase “Slowly”?' });
    await dialog.getByRole('button', { name: 'Erase permanently' }).click();
    await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    fail();
    await dialog.getByText('It did not work.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('say how many messages were discarded, although none waits any more', async () => {
    const owner = await at.stack.person('owner');
    const receiver = await startReceiver((_received, response) => response.writeHead(500).end());
    try {
      const { webhook } = await callAs<WebhookWithSecret>(at.stack, owner, 'POST', '/webhooks', {
        ...{ target_url: receiver.url, events: ['lead.created'], name: 'Broken' },
      });
      await addLead(at.stack, owner, { name: 'Grace' });
      const page = await at.open(`/settings/webhooks/${webhook.id}/messages`, owner);
      await page.getByText('1 message waits.').waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('button', { name: 'Discard messages' }).click();
      await page.getByText('1 message discarded.').waitFor();
      await page.getByLabel('Status').selectOption({ label: 'Delivered' });
      await page.getByText('No messages with this status').waitFor();
      await page.getByLabel('Status').selectOption({ label: 'Discarded' });
      const id = await page
        .getByRole('row', { name: /lead\.created.*discarded/ })
        .locator('code')
        .textContent();
      await page.getByRole('button', { name: `Copy id of message ${id}` }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(id);
    } finally {
      await receiver.close();
    }
  });

  it('offer a retry if the kinds of events cannot be read', async () => {
    const owner = await at.stack.person('owner');
    const page = await at.open('/settings/webhooks', owner);
    await page.route('**/webhooks/kinds', (route) => route.fulfill({ status: 429, json: FAILED.json }));
    await page.getByRole('button', { name: 'Add subscription' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It did not work.').waitFor();
    await page.unroute('**/webhooks/kinds');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByRole('checkbox', { name: /All events/ }).waitFor();
  });
});
