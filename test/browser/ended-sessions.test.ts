import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Me } from '@sluice/dashboard-api/session';
import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';
import { addAccount, PASSWORD, type Person } from './support/stack.ts';

describe('browser: a session that ends over a filled form', () => {
  const at = useBrowser();

  const fillLead = async (page: Page) => {
    await page.getByRole('button', { name: 'New lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'New lead' });
    await dialog.getByLabel('Name', { exact: true }).fill('Half Filled');
    return dialog;
  };
  const endSession = async (page: Page) => {
    const dialog = await fillLead(page);
    await page.context().clearCookies();
    // Not a click: a poll may notice the end first, and the sign-in then covers the button.
    await dialog.getByRole('button', { name: 'Create lead' }).dispatchEvent('click');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.locator('input[name=password]:focus').waitFor();
    return again;
  };
  const signIn = async (page: Page) => {
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
  };
  /** The page reads the session again, as when its user comes back to the tab. */
  const comeBack = (page: Page) => page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  const useCookie = async (page: Page, { cookie }: Person) => {
    const [name = '', value = ''] = cookie.split('=');
    const { url } = at.stack;
    await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  };

  it('stays covered, with the reason, until the sign-in is in the account of the form', async () => {
    const person = await at.stack.addPerson('owner');
    const { user } = await callAs<Me>(at.stack, person, 'GET', '/session');
    const other = await addAccount({ ...at.stack, stop: async () => undefined });
    const membership = { account_id: other.accountId, user_id: user.user_id, created_at: Date.now() };
    await other.store.memberships.insertMembership({ ...membership, role: 'admin' });
    const page = await at.open('/leads', person);
    const again = await endSession(page);
    // The API signs in to the account of the form, so the page gets another one until it has switched.
    let elsewhere = true;
    await page.route(`**${ROUTES.session.me.path}`, async (route) => {
      if (route.request().method() !== 'GET' || !elsewhere) return route.continue();
      const response = await route.fetch();
      if (!response.ok()) return route.fulfill({ response });
      const me: Me = await response.json();
      const account = { ...me.account, account_id: other.accountId };
      return route.fulfill({ response, json: { ...me, account } });
    });
    const switches = `**${ROUTES.session.switchAccount.path}`;
    await page.route(switches, (route) => route.abort());
    await signIn(page);
    await again.getByText('The server cannot be reached.').waitFor();
    await comeBack(page);
    await page.unroute(switches);
    await page.route(switches, async (route) => {
      elsewhere = false;
      await route.fulfill({ response: await route.fetch() });
    });
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    expect(await page.getByText('This session has ended').count(), 'what is over').to.equal(0);
    await page.getByRole('button', { name: 'Create lead' }).click();
    await page.getByText('Lead created.').waitFor();
  });

  it('loses what was typed once the session is another user’s, although no other tab said so', async () => {
    const page = await at.open('/leads', await at.stack.addPerson('admin'));
    const dialog = await fillLead(page);
    await useCookie(page, await at.stack.addPerson('admin'));
    // Data is fresh for 5 s, and is not read again.
    await page.clock.install();
    await page.clock.fastForward(6000);
    const reloaded = page.waitForEvent('domcontentloaded');
    await comeBack(page);
    await reloaded;
    // The address has the dialog, so the new page opens it again.
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('');
  });

  it('opens no palette under the sign-in, so that the password is typed into its field', async () => {
    const page = await at.open('/leads', await at.stack.addPerson('admin'));
    const again = await endSession(page);
    await page.keyboard.press('Control+k');
    await signIn(page);
    await again.waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Go to' }).count()).to.equal(0);
    await page.getByRole('dialog', { name: 'New lead' }).waitFor();
  });

  it('polls nothing while it is covered, and goes on after the sign-in', async () => {
    const page = await at.open('/leads', await at.stack.addPerson('admin'));
    await page.clock.install();
    const again = await endSession(page);
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.clock.runFor(60_000);
    await signIn(page);
    await again.waitFor({ state: 'detached' });
    const isPoll = (request: Request) => request.url().includes(ROUTES.leads.version.path);
    const signedInAt = requests.findIndex((request) => request.method() === ROUTES.session.signIn.method);
    expect(signedInAt).to.be.at.least(0);
    expect(requests.slice(0, signedInAt).filter(isPoll)).to.have.length(0);
    for (const _ of [1, 2, 3]) await page.waitForRequest(isPoll);
  });
});
