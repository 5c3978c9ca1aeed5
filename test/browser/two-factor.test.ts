import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { codeOf } from '../support/two-factor.ts';
import { serious } from './support/axe.ts';
import { clipboard, type Look, useBrowser } from './support/browser.ts';
import { addAccount, PASSWORD, type Person } from './support/stack.ts';

const LOOKS: Look[] = [
  { width: 1440, scheme: 'light' },
  { width: 360, scheme: 'dark' },
];

describe('browser: two-factor sign-in', () => {
  const at = useBrowser();

  it('is set up by keyboard, shows the recovery codes once, and is asked for at the next sign-in', async () => {
    const person = await at.stack.addPerson('admin');
    const page = await at.open('/settings/profile', person);
    const key = await scan(page);
    await page.keyboard.type(codeOf(key));
    await page.keyboard.press('Enter');
    const codes = await recoveryCodes(page);
    expect(codes).to.have.length(10);
    await page.getByRole('button', { name: 'Copy recovery codes' }).click();
    expect((await clipboard(page)).split('\n')).to.deep.equal(codes);
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).to.equal(true);
    await page.goBack();
    await page.getByRole('alert').getByText('Going back would lose the codes').waitFor();
    await page.getByLabel('I saved them').check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 of 10 recovery codes left').waitFor();
    expect(await page.content()).to.not.contain(codes[0]);

    const fresh = await at.open('/sign-in?next=/events');
    await typePassword(fresh, person);
    await fresh.getByLabel('Code', { exact: true }).waitFor();
    await fresh.keyboard.type('000000');
    await fresh.keyboard.press('Enter');
    await fresh.getByRole('alert').getByText('This code is wrong').waitFor();
    await fresh.getByLabel('Code', { exact: true }).fill(codes[0] as string);
    await fresh.keyboard.press('Enter');
    await fresh.getByRole('heading', { name: 'Events', exact: true }).waitFor();

    await fresh.goto(`${at.stack.url}/settings/profile`);
    await fresh.getByText('9 of 10 recovery codes left').waitFor();
    await fresh.getByRole('button', { name: 'Turn off' }).click();
    const dialog = fresh.getByRole('dialog', { name: 'Turn off two-factor sign-in?' });
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByLabel('Code', { exact: true }).fill(codes[1] as string);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await fresh.getByRole('button', { name: 'Set up authenticator app' }).waitFor();
  });

  it('is required by an owner: an admin without it is led to the set-up, and goes on from there', async () => {
    const own = await addAccount({ ...at.stack, stop: async () => undefined });
    const owner = await own.addPerson('owner');
    const admin = await own.addPerson('admin');
    const theirs = await at.open('/events', admin);
    await theirs.getByRole('heading', { name: 'Events', exact: true }).waitFor();

    const page = await at.open('/settings/members', owner);
    const required = page.getByLabel('Require it for owners and admins');
    expect(await required.isDisabled(), 'before the owner has it').to.equal(true);
    await page.getByRole('link', { name: 'set it up for yourself' }).click();
    await confirm(page, await scan(page));
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
    await theirs.getByRole('heading', { name: 'Set up two-factor sign-in' }).waitFor();
    await confirm(theirs, await scan(theirs));
    await theirs.getByRole('heading', { name: 'Members', exact: true }).waitFor();
  });

  for (const look of LOOKS)
    it(`axe finds nothing serious in the set-up and at the code, and nothing overflows: ${look.scheme}, ${look.width} px`, async () => {
      const person = await at.stack.addPerson('viewer');
      const page = await at.open('/settings/profile', person, look);
      const key = await scan(page);
      await expectSound(page, 'QR code');
      await page.getByLabel('Code from the app').fill(codeOf(key));
      await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click();
      await recoveryCodes(page);
      await expectSound(page, 'recovery codes');
      await page.getByLabel('I saved them').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Create new recovery codes' }).click();
      await page.getByRole('dialog').waitFor();
      await expectSound(page, 'dialog');
      const fresh = await at.open('/sign-in', undefined, look);
      await typePassword(fresh, person);
      await fresh.getByLabel('Code', { exact: true }).waitFor();
      await expectSound(fresh, 'code');
    });

  /** Types the password, and reads the key that is beside the QR code. */
  async function scan(page: Page): Promise<string> {
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const key = await page.getByRole('textbox', { name: 'Key for your authenticator app' }).textContent();
    return (key ?? '').replaceAll(' ', '');
  }

  async function confirm(page: Page, key: string): Promise<void> {
    await page.getByLabel('Code from the app').fill(codeOf(key));
    await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click();
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

  async function expectSound(page: Page, what: string): Promise<void> {
    expect(await serious(page), what).to.deep.equal([]);
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(over, what).to.be.at.most(0);
  }
});
