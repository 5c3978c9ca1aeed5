import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import { PASSWORD, type Person } from './support/stack.ts';

const NEW_PASSWORD = 'a horse of another colour';

describe('browser: password and sessions', () => {
  const at = useBrowser();

  it('another session is ended from the list, or by a new password, and its next click leads to the sign-in page', async () => {
    const here = await at.stack.addPerson('admin');
    const page = await at.open('/settings/profile', here);
    await page.getByText('this session').waitFor();
    const openElsewhere = async () => {
      const other = await at.open('/settings/members', await again(here));
      await other.getByRole('heading', { name: 'Members' }).waitFor();
      return other;
    };
    const ended = await openElsewhere();
    await page.reload();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('button', { name: 'End session' }).waitFor({ state: 'detached' });
    await ended.getByRole('link', { name: 'API Keys' }).click();
    await ended.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();

    const other = await openElsewhere();
    const current = page.getByLabel('Current password', { exact: true });
    const next = page.getByLabel('New password', { exact: true });
    await current.fill('not the password');
    await next.fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').waitFor();
    await current.fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    expect(await current.inputValue(), 'the form is empty').to.equal('');
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
