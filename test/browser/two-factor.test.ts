import { ROUTES } from '@sluice/dashboard-api/routes';
import type { Me } from '@sluice/dashboard-api/session';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { codeOf } from '../support/two-factor.ts';
import { expectSound } from './support/axe.ts';
import { clipboard, useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';
import { addAccount, PASSWORD, type Person, type Stack } from './support/stack.ts';

const eventsOf = (page: Page) => page.getByRole('heading', { name: 'Events', exact: true });

/** Types the password and returns the key beside the QR code. */
async function scan(page: Page): Promise<string> {
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const key = await page.getByRole('textbox', { name: 'Key for your authenticator app' }).textContent();
  return (key ?? '').replaceAll(' ', '');
}

async function typeCode(page: Page, key: string): Promise<void> {
  await page.getByLabel('Code from the app').fill(codeOf(key));
  await page.keyboard.press('Enter');
}

async function saveCodes(page: Page): Promise<void> {
  await page.getByLabel('I saved them').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Done' }).waitFor({ state: 'detached' });
}

async function recoveryCodes(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  return list.getByRole('listitem').allInnerTexts();
}

async function typePassword(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

describe('browser: two-factor sign-in', () => {
  const at = useBrowser();

  it('is set up by keyboard, shows the recovery codes once, and is required at the next sign-in', async () => {
    const person = await at.stack.addPerson('admin');
    const page = await at.open('/settings/profile', person);
    const key = await scan(page);
    await expectSound(page, 'QR code');
    await typeCode(page, key);
    const codes = await recoveryCodes(page);
    expect(codes).to.have.length(10);
    await expectSound(page, 'recovery codes');
    await page.getByRole('button', { name: 'Copy recovery codes' }).click();
    expect((await clipboard(page)).split('\n')).to.deep.equal(codes);
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).to.equal(true);
    await page.goBack();
    await page.getByRole('alert').getByText('Going back would lose the codes').waitFor();
    await saveCodes(page);
    await page.getByText('10 of 10 recovery codes left').waitFor();
    expect(await page.content()).to.not.contain(codes[0]);
    await page.getByRole('button', { name: 'Create new recovery codes' }).click();
    await page.getByRole('dialog').waitFor();
    await expectSound(page, 'dialog');

    const fresh = await at.open('/sign-in?next=/events');
    await typePassword(fresh, person);
    await fresh.getByLabel('Code', { exact: true }).waitFor();
    await expectSound(fresh, 'code');
    await fresh.getByLabel('Code', { exact: true }).fill('000000');
    await fresh.keyboard.press('Enter');
    await fresh.getByRole('alert').getByText('This code is wrong').waitFor();
    await fresh.getByLabel('Code', { exact: true }).fill(codes[0] as string);
    await fresh.keyboard.press('Enter');
    await eventsOf(fresh).waitFor();

    await fresh.goto(`${at.stack.url}/settings/profile`);
    await fresh.getByText('9 of 10 recovery codes left').waitFor();
    await fresh.getByRole('button', { name: 'Turn off' }).click();
    const dialog = fresh.getByRole('dialog', { name: 'Turn off two-factor sign-in?' });
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('Code', { exact: true }).fill(codes[1] as string);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await fresh.getByRole('button', { name: 'Set up authenticator app' }).waitFor();
  });

  it('is required by an owner: an admin without it must set it up, and then continues', async () => {
    const own = await addAccount({ ...at.stack, stop: async () => undefined });
    const owner = await own.addPerson('owner');
    const admin = await own.addPerson('admin');
    const theirs = await at.open('/events', admin);
    await eventsOf(theirs).waitFor();

    const page = await at.open('/settings/members', owner);
    const required = page.getByLabel('Require it for owners and admins');
    expect(await required.isDisabled(), 'before the owner has it').to.equal(true);
    await page.getByRole('link', { name: 'set it up for yourself' }).click();
    await typeCode(page, await scan(page));
    await saveCodes(page);
    await page.getByRole('link', { name: 'Members' }).click();
    await page
      .getByRole('switch', { name: 'Require it for owners and admins', disabled: false })
      .press('Space');
    await page
      .getByText(`These members must set it up before they continue: ${admin.email.toLowerCase()}`)
      .waitFor();
    await page.getByRole('button', { name: 'Require it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await required.isChecked()).to.equal(true);
    await page.getByRole('row', { name: new RegExp(`${owner.email.toLowerCase()}.*on`) }).waitFor();
    await page.getByRole('row', { name: new RegExp(`${admin.email.toLowerCase()}.*off`) }).waitFor();

    await theirs.getByRole('link', { name: 'API Keys' }).click();
    await theirs.getByRole('heading', { name: 'Set up two-factor sign-in' }).waitFor();
    await theirs.goto(`${at.stack.url}/settings/members`);
    await typeCode(theirs, await scan(theirs));
    await saveCodes(theirs);
    await theirs.getByRole('heading', { name: 'Members', exact: true }).waitFor();
  });

  /** An account that requires it, and a page of an admin without it. */
  const openRequired = async (prepare: (own: Stack, admin: Person) => Promise<void> = async () => {}) => {
    const own = await addAccount({ ...at.stack, stop: async () => undefined });
    const admin = await own.addPerson('admin');
    await own.store.accounts.setTwoFactorRequired(own.accountId, true);
    await prepare(own, admin);
    const page = await at.open('/events', admin);
    await page.getByRole('heading', { name: 'Set up two-factor sign-in' }).waitFor();
    return page;
  };

  it('that is required shows the recovery codes until they are saved, also after a look at another tab', async () => {
    const page = await openRequired();
    await typeCode(page, await scan(page));
    expect(await recoveryCodes(page)).to.have.length(10);
    // Data is fresh for 5 s, and is not read again.
    await page.clock.install();
    await page.clock.fastForward(6000);
    const read = page.waitForResponse(
      (response) => new URL(response.url()).pathname === ROUTES.session.me.path,
    );
    // The user comes back to the tab.
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await (await read).finished();
    await saveCodes(page);
    await eventsOf(page).waitFor();
  });

  it('that is required opens the dashboard after a lost response, and names what a failed request did not change', async () => {
    const page = await openRequired(async (own, admin) => {
      const { user } = await callAs<Me>(own, admin, 'GET', '/session');
      await own.store.memberships.insertMembership({
        account_id: at.stack.accountId,
        user_id: user.user_id,
        created_at: Date.now(),
        role: 'viewer',
      });
    });
    const writes = [ROUTES.session.signOut, ROUTES.session.switchAccount];
    const isWrite = (url: URL) => writes.some(({ path }) => path === url.pathname);
    await page.route(isWrite, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.abort(),
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in. The server cannot be reached.').waitFor();
    await page.getByRole('button', { name: /^Switch to/ }).click();
    await page.getByText('The account was not changed. The server cannot be reached.').waitFor();
    await page.unroute(isWrite);
    const key = await scan(page);
    await page.route(
      (url) => url.pathname === ROUTES.session.confirmTwoFactor.path,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
    );
    await typeCode(page, key);
    await eventsOf(page).waitFor();
  });
});
