import { createPasswordReset } from '@sluice/accounts/people/password-reset';
import { newId } from '@sluice/credentials/ids';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { until } from '../support/until.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import { PASSWORD } from './support/stack.ts';

const NEW_PASSWORD = 'a horse of another colour';

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

describe('browser: a forgotten password, with mail', () => {
  const env: Record<string, string> = {};
  let smtp: TestSmtpServer;
  before(async () => {
    smtp = await startSmtpServer();
    env.SMTP_URL = smtp.url;
  });
  after(() => smtp?.close());
  const at = useBrowser({ env });

  it('mails a link that sets a new password, which signs in', async () => {
    const person = await at.stack.addPerson('owner');
    const page = await at.open('/sign-in');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email').fill(person.email);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('a link is on its way').waitFor();
    await until(() => smtp.mails.length === 1, { what: 'the mail' });
    const [, link = ''] =
      /(http:\/\/127\.0\.0\.1:\d+\/reset-password#token=\S+)/.exec(smtp.mails[0]?.raw ?? '') ?? [];
    await page.goto(link);
    await page.getByText(person.email).waitFor();
    await setPassword(page, person.email);
    await page.getByText('This password is your email address').waitFor();
    await setPassword(page, NEW_PASSWORD);
    await page.getByText('Your password is set').waitFor();
    expect(await signIn(at.stack, person.email, PASSWORD)).to.equal(401);
    expect(await signIn(at.stack, person.email, NEW_PASSWORD)).to.have.property('cookie');
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });
});

describe('browser: a forgotten password, without mail', () => {
  const at = useBrowser();

  const resetLink = async (email: string) => {
    const made = await createPasswordReset({ ...at.stack.store, now: Date.now }, email);
    if (made.status !== 'created') throw new Error(made.status);
    return `/reset-password#token=${made.token}`;
  };

  it('names the operator’s command, whose link sets a new password, also in the tab of one that no longer works', async () => {
    const person = await at.stack.addPerson('viewer');
    const page = await at.open('/forgot-password');
    await page.getByText('sluice owner-link --reset EMAIL').waitFor();
    await expectSound(page, 'forgotten');
    await page.goto(`${at.stack.url}/reset-password#token=expired`);
    const invalid = page.getByRole('heading', { name: 'This link no longer works' });
    await invalid.waitFor();
    await page.goto(at.stack.url + (await resetLink(person.email)));
    await page.getByText(person.email).waitFor();
    await expectSound(page, 'reset');
    await setPassword(page, NEW_PASSWORD);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    expect(await signIn(at.stack, person.email, NEW_PASSWORD)).to.have.property('cookie');
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
