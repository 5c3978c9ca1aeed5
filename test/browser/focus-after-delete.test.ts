import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: the focus after its element is gone', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  it('goes to the next row once a key is revoked, and is left alone where a click took it away', async () => {
    for (const name of ['Second', 'First'])
      await callAs(at.stack, owner, 'POST', '/keys', { name, scopes: ['webhooks'], expires_at: null });
    const page = await at.open('/settings/api-keys', owner);
    await page.getByRole('button', { name: 'Revoke First' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Revoke key' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await focusIn(page, 'tr', /Second/);
    await page.getByRole('button', { name: 'Revoke Second' }).focus();
    await page.getByRole('heading', { name: 'API Keys' }).locator('..').click();
    await page.evaluate(`document.querySelector('[aria-label="Revoke Second"]').remove()`);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50)))');
    expect(await page.locator('main :focus').count()).to.equal(0);
  });

  it('goes to the row before once the last row is removed', async () => {
    for (const email of ['one@example.com', 'two@example.com'])
      await callAs(at.stack, owner, 'POST', '/members/invites', { email, role: 'viewer' });
    const page = await at.open('/settings/members', owner);
    const withdraw = page.getByRole('button', { name: /Withdraw the invitation/ });
    await withdraw.last().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Withdraw/ }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await focusIn(page, 'tr', /example\.com/);
    await page.locator('button:focus[aria-label^="Withdraw"]').waitFor();
  });

  it('stays in a drawer where a field is removed', async () => {
    const lead = await addLead(at.stack, owner, { name: 'Tagged', tags: ['one', 'two'] });
    const page = await at.open(`/leads?lead=${lead.id}`, owner);
    await page.getByRole('button', { name: 'Remove tag one' }).press('Enter');
    await page.locator('[role=dialog] button:focus[aria-label="Remove tag two"]').waitFor();
  });
});

/** Resolves once the focus is in an element with this text. */
async function focusIn(page: Page, selector: string, text: RegExp): Promise<void> {
  await page.locator(`${selector}:focus, ${selector}:has(:focus)`).filter({ hasText: text }).waitFor();
}
