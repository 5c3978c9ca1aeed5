import { ROUTES } from '@sluice/dashboard-api/routes';
import type { WebhookWithSecret } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { type Held, hold } from './support/held.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

const RECEIVER = 'http://127.0.0.1:8443/hooks';

/** The request is sent, and the dialog shows it: Cancel is disabled. */
async function untilPending(dialog: Locator, held: Held): Promise<void> {
  await held.asked;
  await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
}

/** Neither Escape, a click outside, the cross nor Back closes the dialog. */
async function expectKept(page: Page, dialog: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await dialog.getByRole('button', { name: 'Close' }).count(), 'cross').to.equal(0);
  // A dialog that closes is detached only after its transition.
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
  expect(await page.getByRole('dialog').count()).to.equal(1);
}

describe('browser: secrets that are shown once', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  it('of a new subscription survive Escape, a click outside and Back, also while it is made', async () => {
    const page = await at.open('/settings/webhooks', owner);
    await page.getByRole('button', { name: 'Add subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(RECEIVER);
    await dialog.getByRole('checkbox', { name: /Lead created/ }).check();
    const { path, method } = ROUTES.webhooks.create;
    const held = await hold(page, path, method);
    await dialog.getByRole('button', { name: 'Add subscription' }).click();
    await untilPending(dialog, held);
    await expectKept(page, dialog);
    await held.release();
    const secret = dialog.getByRole('textbox', { name: 'Secret' });
    await secret.waitFor();
    await expectKept(page, dialog);
    await page.goBack();
    await page.getByRole('alert').getByText('Going back would lose the secret').waitFor();
    expect(await secret.textContent()).to.match(/^whsec_/);
    await dialog.getByRole('button', { name: 'Set up the receiver' }).click();
    await page.getByRole('tab', { name: 'Set up', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Webhook subscriptions' }).waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('of a rotation survive them too', async () => {
    const { webhook } = await callAs<WebhookWithSecret>(at.stack, owner, 'POST', '/webhooks', {
      target_url: RECEIVER,
      events: ['lead.created'],
      name: 'Rotated',
    });
    const page = await at.open(`/settings/webhooks/${webhook.id}/settings`, owner);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog');
    const held = await hold(
      page,
      ROUTES.webhooks.rotateSecret.path.replace(':webhookId', webhook.id),
      ROUTES.webhooks.rotateSecret.method,
    );
    await dialog.getByRole('button', { name: 'Rotate now' }).click();
    await untilPending(dialog, held);
    await expectKept(page, dialog);
    await held.release();
    const secret = dialog.getByRole('textbox', { name: 'Secret' });
    await secret.waitFor();
    await expectKept(page, dialog);
    await page.goBack();
    await page.getByRole('alert').getByText('Going back would lose the secret').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).to.equal(`/settings/webhooks/${webhook.id}/settings`);
    expect(await page.content()).not.to.contain('whsec_');
  });

  it('of an API key survive them while it is made', async () => {
    const page = await at.open('/settings/api-keys', owner);
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Booking sync');
    await dialog.getByRole('checkbox', { name: /read:leads/ }).check();
    const { path, method } = ROUTES.keys.create;
    const held = await hold(page, path, method);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await untilPending(dialog, held);
    await expectKept(page, dialog);
    await held.release();
    await dialog.getByRole('textbox', { name: 'API key' }).waitFor();
  });
});
