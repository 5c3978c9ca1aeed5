import { createPasswordReset } from '@sluice/accounts/people/password-reset';
import { newId } from '@sluice/credentials/ids';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import { PASSWORD } from './support/stack.ts';

const NEW_PASSWORD = 'a horse of another colour';

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

describe('browser: a forgotten password', () => {
  const at = useBrowser();

  const resetLink = async (email: string) => {
    const made = await createPasswordReset({ ...at.stack.store, now: Date.now }, email);
    if (made.status !== 'created') throw new Error(made.status);
    return `/reset-password#token=${made.token}`;
  };

  it('leads from the sign-in page to a mailed link, if the installation sends mail', async () => {
    const page = await at.open('/sign-in');
    // test/api/password-recovery.test.ts sends real mails.
    const { options, forgot } = ROUTES.recovery;
    await page.route(`**${options.path}`, (route) => route.fulfill({ json: { password_recovery: 'mail' } }));
    await page.route(`**${forgot.path}`, (route) => route.fulfill({ status: 204 }));
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill('ada@example.com');
    const asked = page.waitForRequest(`**${forgot.path}`);
    await page.keyboard.press('Enter');
    expect((await asked).postDataJSON()).to.deep.equal({ email: 'ada@example.com' });
    await page.getByRole('status').getByText('a link is on its way').waitFor();
    await expectSound(page, 'on its way');
  });

  it('names the operator’s command otherwise, whose link sets a new password once, also in the tab of an expired one', async () => {
    const person = await at.stack.addPerson('viewer');
    const page = await at.open('/forgot-password');
    await page.getByText('sluice owner-link --reset EMAIL').waitFor();
    await expectSound(page, 'forgotten');
    await page.goto(`${at.stack.url}/reset-password#token=expired`);
    const invalid = page.getByRole('heading', { name: 'This link no longer works' });
    await invalid.waitFor();
    const link = at.stack.url + (await resetLink(person.email));
    await page.goto(link);
    await page.getByText(person.email).waitFor();
    await expectSound(page, 'reset');
    await setPassword(page, person.email);
    await page.getByText('This password is your email address').waitFor();
    await setPassword(page, NEW_PASSWORD);
    await page.getByText('Your password is set').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    expect(await signIn(at.stack, person.email, PASSWORD)).to.equal(401);
    expect(await signIn(at.stack, person.email, NEW_PASSWORD)).to.have.property('cookie');
    await page.goto(link);
    await invalid.waitFor();
    await page.goto(`${at.stack.url}/welcome#token=expired`);
    await invalid.waitFor();
    await page.goto(`${at.stack.url}/welcome#token=${await at.stack.ownerToken()}`);
    await page.getByText('You become the first owner of').waitFor();
  });

  it('wraps an email address that is wider than a phone', async () => {
    const email = `${'w'.repeat(60)}@${at.stack.accountId.replace('_', '.')}.example.com`.toLowerCase();
    await at.stack.store.users.insertUser({
      user_id: newId('usr'),
      email,
      name: '',
      password_hash: 'none',
      operator: false,
      created_at: Date.now(),
    });
    const page = await at.open(await resetLink(email));
    await page.getByText(email).waitFor();
    await expectSound(page, 'a long address');
  });
});
