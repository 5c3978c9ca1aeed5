import type { LeadPage } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Me } from '@sluice/dashboard-api/session';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';
import { addAccount, PASSWORD, type Person } from './support/stack.ts';

describe('browser: a form in another tab', () => {
  const at = useBrowser();

  const fillLead = async (page: Page) => {
    await page.getByRole('button', { name: 'New lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'New lead' });
    await dialog.getByLabel('Name', { exact: true }).fill('Half Filled');
    return dialog;
  };
  const secondTab = async (page: Page, path: string) => {
    const tab = await page.context().newPage();
    await tab.goto(at.stack.url + path);
    return tab;
  };
  const signIn = async (tab: Page, { email }: Person) => {
    await tab.getByLabel('Email').fill(email);
    await tab.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await tab.keyboard.press('Enter');
    await tab.getByRole('heading', { name: 'Events', exact: true }).waitFor();
  };

  /** The page loads again. The dialog is in its address, and is empty then. */
  const expectDiscarded = async (page: Page, change: () => Promise<void>) => {
    const dialog = await fillLead(page);
    const loaded = page.waitForEvent('load');
    await change();
    await loaded;
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('keeps what was typed when the same user signs in again in this tab', async () => {
    const admin = await at.stack.addPerson('admin');
    const page = await at.open('/leads', admin);
    const dialog = await fillLead(page);
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.waitFor();
    await signIn(await secondTab(page, '/sign-in?next=/events'), admin);
    await again.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('Half Filled');
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await page.getByText('Lead created.').waitFor();
    const { items } = await callAs<LeadPage>(at.stack, admin, 'GET', '/leads?q=half');
    expect(items).to.have.length(1);
  });

  it('is discarded when another user signs in, or when the user signs out or switches the account', async () => {
    const admin = await at.stack.addPerson('admin');
    const { user } = await callAs<Me>(at.stack, admin, 'GET', '/session');
    const other = await addAccount({ ...at.stack, stop: async () => undefined });
    await other.store.memberships.insertMembership({
      account_id: other.accountId,
      user_id: user.user_id,
      role: 'admin',
      created_at: Date.now(),
    });
    const page = await at.open('/leads', admin);
    await expectDiscarded(page, async () => {
      const tab = await secondTab(page, '/events');
      await tab.getByRole('button', { name: /Kulturhaus Mitte/ }).click();
      await tab.getByRole('button', { name: 'Switch to Kulturhaus Mitte' }).click();
    });
    const another = await at.stack.addPerson('admin');
    await expectDiscarded(page, async () => signIn(await secondTab(page, '/sign-in?next=/events'), another));
    await fillLead(page);
    const last = await secondTab(page, '/events');
    await last.getByRole('button', { name: /Kulturhaus Mitte/ }).click();
    await last.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
  });

  it('keeps what was typed while the server cannot be reached, until the session is read', async () => {
    const admin = await at.stack.addPerson('admin');
    const page = await at.open('/leads', admin);
    const dialog = await fillLead(page);
    const loads: string[] = [];
    page.on('load', () => loads.push('load'));
    const me = `**${ROUTES.session.me.path}`;
    let tries = 0;
    await page.route(me, (route) => {
      tries += 1;
      return route.abort();
    });
    await signIn(await secondTab(page, '/sign-in?next=/events'), admin);
    // React Query alone tries three times.
    await until(() => tries > 3, { what: 'the session is read again' });
    await page.unroute(me);
    await page.waitForResponse(
      (response) => response.url().endsWith(ROUTES.session.me.path) && response.ok(),
    );
    expect(loads).to.deep.equal([]);
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('Half Filled');
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await page.getByText('Lead created.').waitFor();
  });

  it('is discarded if the session cannot be read after another tab changed it', async () => {
    const admin = await at.stack.addPerson('admin');
    const page = await at.open('/leads', admin);
    await expectDiscarded(page, async () => {
      const tab = await secondTab(page, '/sign-in?next=/events');
      const me = `**${ROUTES.session.me.path}`;
      await page.route(me, (route) => route.fulfill({ status: 404, json: {} }));
      // The page that loads again reads it.
      page.once('framenavigated', () => void page.unroute(me));
      await signIn(tab, admin);
    });
  });
});
