import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Me } from '@sluice/dashboard-api/session';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { codeOf } from '../support/two-factor.ts';
import { useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';
import { addAccount, PASSWORD, type Stack } from './support/stack.ts';

describe('browser: two-factor sign-in that an account requires', () => {
  const at = useBrowser();

  /** An account that requires it, and a page of an admin without it. */
  const open = async (prepare: (own: Stack, cookie: string) => Promise<void> = async () => {}) => {
    const own = await addAccount({ ...at.stack, stop: async () => undefined });
    await own.addPerson('owner');
    const admin = await own.addPerson('admin');
    await own.store.accounts.setTwoFactorRequired(own.accountId, true);
    await prepare(own, admin.cookie);
    const page = await at.open('/events', admin);
    await page.getByRole('heading', { name: 'Set up two-factor sign-in' }).waitFor();
    return { page, admin };
  };
  /** Resolves to the key for the authenticator app. */
  const beginSetUp = async (page: Page) => {
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    const key = await page.getByRole('textbox', { name: 'Key for your authenticator app' }).textContent();
    return (key ?? '').replaceAll(' ', '');
  };
  const confirmCode = async (page: Page, key: string) => {
    await page.getByLabel('Code from the app').fill(codeOf(key));
    await page.keyboard.press('Enter');
  };
  /** The page reads the session again, as when its user comes back to the tab. */
  const comeBack = async (page: Page) => {
    const read = page.waitForResponse(
      (response) => new URL(response.url()).pathname === ROUTES.session.me.path,
    );
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await (await read).finished();
  };

  it('shows the recovery codes until they are saved, also after a look at another tab', async () => {
    const { page } = await open();
    await confirmCode(page, await beginSetUp(page));
    const codes = page.getByRole('list', { name: 'Recovery codes' });
    await codes.waitFor();
    // Data is fresh for 5 s, and is not read again.
    await page.clock.install();
    await page.clock.fastForward(6000);
    await comeBack(page);
    await page.getByLabel('I saved them').check();
    expect(await codes.getByRole('listitem').count()).to.equal(10);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor();
  });

  it('opens the dashboard after the response to the code was lost', async () => {
    const { page } = await open();
    const key = await beginSetUp(page);
    await page.route(
      (url) => url.pathname === ROUTES.session.confirmTwoFactor.path,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
    );
    await confirmCode(page, key);
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor();
  });

  it('says that the user is still signed in, and that the account was not changed, if a request fails', async () => {
    const { page } = await open(async (own, cookie) => {
      const { user } = await callAs<Me>(own, { email: '', cookie }, 'GET', '/session');
      const membership = { account_id: at.stack.accountId, user_id: user.user_id, created_at: Date.now() };
      await own.store.memberships.insertMembership({ ...membership, role: 'viewer' });
    });
    const writes = [ROUTES.session.signOut, ROUTES.session.switchAccount];
    await page.route(
      (url) => writes.some(({ path }) => path === url.pathname),
      (route) => (route.request().method() === 'GET' ? route.fallback() : route.abort()),
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in. The server cannot be reached.').waitFor();
    await page.getByRole('button', { name: /^Switch to/ }).click();
    await page.getByText('The account was not changed. The server cannot be reached.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: /^Switch to/ }).click();
    await page.getByRole('link', { name: 'Leads', exact: true }).waitFor();
  });
});
