import type { Me } from '@sluice/dashboard-api/session';
import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import { callAs } from './support/source.ts';
import { addAccount, PASSWORD, type Person } from './support/stack.ts';

const NEW_PASSWORD = 'a horse of another colour';

describe('browser: password and sessions', () => {
  const at = useBrowser();

  it('another session is ended by a click: there, the next click leads to the sign-in', async () => {
    const here = await at.stack.addPerson('owner');
    const elsewhere = await again(here);
    const other = await at.open('/settings/members', elsewhere);
    await other.getByRole('heading', { name: 'Members' }).waitFor();
    const page = await at.open('/settings/profile', here);
    await page.getByText('this session').waitFor();
    expect(await page.getByRole('button', { name: 'End session' }).count()).to.equal(1);
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('button', { name: 'End session' }).waitFor({ state: 'detached' });
    await other.getByRole('link', { name: 'API Keys' }).click();
    await other.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await page.reload();
    await page.getByText('this session').waitFor();
  });

  it('a tab that is open in one account goes on in the other as soon as another tab has switched to it', async () => {
    const person = await at.stack.addPerson('owner');
    const { user } = await callAs<Me>(at.stack, person, 'GET', '/session');
    const other = await addAccount({ ...at.stack, stop: async () => undefined });
    await other.store.memberships.insertMembership({
      account_id: other.accountId,
      user_id: user.user_id,
      role: 'admin',
      created_at: Date.now(),
    });
    await callAs(at.stack, person, 'POST', '/keys', { name: 'Of the first', scopes: ['webhooks'] });
    const page = await at.open('/settings/api-keys', person);
    await page.getByRole('cell', { name: 'Of the first', exact: true }).waitFor();
    const second = await page.context().newPage();
    await second.goto(at.stack.url);
    await second.getByRole('button', { name: /Kulturhaus Mitte/ }).click();
    await second.getByRole('button', { name: /^Switch to/ }).click();
    await page.getByText('Create your first API key').waitFor();
    // In the menu, which is closed.
    await second.getByText('admin of Kulturhaus Mitte').waitFor({ state: 'attached' });
    await second.getByRole('button', { name: /Kulturhaus Mitte/ }).click();
    await second.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('a changed password ends every other session; the old one signs nobody in any more', async () => {
    const here = await at.stack.addPerson('admin');
    const elsewhere = await again(here);
    const other = await at.open('/settings/members', elsewhere);
    await other.getByRole('heading', { name: 'Members' }).waitFor();
    const page = await at.open('/settings/profile', here);
    const current = page.getByLabel('Current password', { exact: true });
    const next = page.getByLabel('New password', { exact: true });
    await current.fill('not the password');
    await next.fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').waitFor();
    await current.fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    expect(await current.inputValue(), 'nothing is left in the form').to.equal('');
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await page.reload();
    await page.getByText('this session').waitFor();
    expect(await signIn(at.stack, here.email, PASSWORD)).to.equal(401);
    expect(await signIn(at.stack, here.email, NEW_PASSWORD)).to.have.property('cookie');
  });

  async function again({ email }: Person): Promise<Person> {
    const person = await signIn(at.stack, email, PASSWORD);
    if (typeof person === 'number') throw new Error(`not signed in: ${person}`);
    return person;
  }
});
