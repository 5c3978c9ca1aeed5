import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { runInShell } from './support/shell.ts';
import { PASSWORD } from './support/stack.ts';

describe('browser: from an empty account to the first green row', () => {
  const at = useBrowser();

  it('takes at most 4 clicks and one paste', async () => {
    const page = await at.open(`/welcome#token=${await at.stack.ownerToken()}`);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url(), 'the token is gone from the address').to.not.contain('token');

    let clicks = 0;
    const click = async (role: 'link' | 'button', name: string) => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).first().click();
    };
    await click('link', 'Webhook');
    await click('button', 'Add source');
    await page.getByLabel('Name').fill('Booking platform');
    await page.keyboard.press('Enter');
    await page.getByText('Waiting for the first delivery').waitFor();
    clicks += 1;
    await page.getByRole('switch', { name: 'Insert the secret for 30 s' }).click();
    await page
      .getByLabel('Paste into a shell')
      .filter({ hasText: /whsec_\w{20}/ })
      .waitFor();
    await click('button', 'Copy code');
    const pasted = await page.evaluate<string>('navigator.clipboard.readText()');
    expect((await runInShell(pasted)).stdout).to.match(/^HTTP\/1.1 200/);
    await page.getByText('Last delivery').waitFor();
    await page.getByText('Open day').first().waitFor();
    expect(clicks).to.be.at.most(4);
  });

  it('rejects a used link, signs in with the right password only, and signs out', async () => {
    const page = await at.open('/welcome#token=usedup');
    await page.getByText('This link no longer works').waitFor();
    await page.goto(`${at.stack.url}/settings/api-keys`);
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('something else');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'API Keys' }).waitFor();
    await page.getByRole('button', { name: 'Kulturhaus Mitte' }).click();
    await page.getByText('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
    await page.goto(`${at.stack.url}/settings/api-keys`);
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
  });
});
