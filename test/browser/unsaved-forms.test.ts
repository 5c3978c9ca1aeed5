import type { LeadItem } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';
import { PASSWORD } from './support/stack.ts';

describe('browser: forms that are not saved', () => {
  const at = useBrowser();

  const newLead = async (page: Page) => {
    await page.getByRole('button', { name: 'New lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'New lead' });
    await dialog.getByLabel('Name', { exact: true }).fill('Half Filled');
    return dialog;
  };

  it('asks before Escape or a click outside loses a lead that was typed', async () => {
    const page = await at.open('/leads', await at.stack.addPerson('owner'));
    const dialog = await newLead(page);
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
      await leave();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('Half Filled');
    }
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('asks before Escape loses a tag that is typed and not yet added', async () => {
    const admin = await at.stack.addPerson('admin');
    const lead = await addLead(at.stack, admin, { name: 'Half tagged' });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByLabel('Tags', { exact: true }).fill('fair');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await drawer.getByRole('button', { name: 'Remove tag fair' }).waitFor();
  });

  it('asks before a link or the Back button loses a lead that was edited', async () => {
    const admin = await at.stack.addPerson('admin');
    const lead = await addLead(at.stack, admin, { name: 'Ada' });
    const page = await at.open('/leads', admin);
    await page.getByRole('row', { name: /Ada/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await drawer.getByLabel('Company').fill('Engines');
    const here = page.url();
    await page.goBack();
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(page.url()).to.equal(here);
    expect(await drawer.getByLabel('Company').inputValue()).to.equal('Engines');
    await page.goBack();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await drawer.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).to.equal('');
    expect(await callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${lead.id}`)).to.include({ company: null });
  });

  it('asks before a link of the navigation or a tab loses settings that were changed', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const page = await at.open(`/events/webhook/${source.id}/settings`, owner);
    const name = page.getByLabel('Name', { exact: true });
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await name.fill('Half typed');
    for (const leave of [
      () => page.getByRole('link', { name: 'Leads', exact: true }).click(),
      () => page.getByRole('tab', { name: 'Recent Deliveries' }).click(),
    ]) {
      await leave();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await name.inputValue()).to.equal('Half typed');
    }
    await page.getByRole('link', { name: 'Leads', exact: true }).click();
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor();
    // Nothing is left to ask about.
    await page.goBack();
    await name.waitFor();
    expect(await name.inputValue()).to.equal(source.name);
  });

  it('closes an edited lead without a question once it is saved', async () => {
    const admin = await at.stack.addPerson('admin');
    const lead = await addLead(at.stack, admin, { name: 'Ada' });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByLabel('Company').fill('Engines');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor({ state: 'detached' });
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Lead saved.').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('Escape closes the question above a drawer, and not the drawer too', async () => {
    const admin = await at.stack.addPerson('admin');
    const source = await addSource(at.stack, admin);
    const { body } = await send(source, { title: 'Two layers' });
    await untilLogged(at.stack, admin, body.delivery_id);
    const page = await at.open(`/events?source_id=${source.id}`, admin);
    await page.getByRole('row', { name: /Two layers/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByRole('button', { name: 'Delete event' }).click();
    const question = page.getByRole('dialog', { name: 'Delete “Two layers”?' });
    await question.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await drawer.isVisible()).to.equal(true);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('a session that ends keeps what was typed, and saves it after a new sign-in', async () => {
    const admin = await at.stack.addPerson('admin');
    const page = await at.open('/leads', admin);
    const dialog = await newLead(page);
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    expect(await again.getByLabel('Email').inputValue()).to.equal(admin.email.toLowerCase());
    // The password can be typed at once.
    await again.locator('input[name=password]:focus').waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await page.getByText('Lead created.').waitFor();
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByText('Half Filled').first().waitFor();
  });

  it('a session that ends leads to the sign-in page if the user discards what was typed', async () => {
    const page = await at.open('/leads', await at.stack.addPerson('admin'));
    const dialog = await newLead(page);
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await page.getByRole('button', { name: 'Discard what I typed' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
  });

  it('says that the user is still signed in if the server cannot be reached', async () => {
    const owner = await at.stack.addPerson('viewer');
    const page = await at.open('/', owner);
    await page.getByRole('button', { name: /Kulturhaus Mitte/ }).click();
    await page.route(`**${ROUTES.session.signOut.path}`, (route) =>
      route.request().method() === ROUTES.session.signOut.method ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in. The server cannot be reached.').waitFor();
    expect(new URL(page.url()).pathname).to.equal('/');
  });

  it('names tags and fields of a lead that another user changed meanwhile', async () => {
    const admin = await at.stack.addPerson('admin');
    const lead = await addLead(at.stack, admin, { name: 'Two tabs', tags: ['fair'], fields: { Budget: 5 } });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByRole('textbox', { name: 'Tags' }).fill('mine');
    await drawer.getByRole('textbox', { name: 'Tags' }).press('Enter');
    await drawer.getByLabel('Budget', { exact: true }).fill('6');
    const patch = { tags: ['fair', 'theirs'], fields: { Budget: 7 } };
    await callAs(at.stack, admin, 'PATCH', `/leads/${lead.id}`, { patch });
    await drawer.getByText('Tags was changed to “fair, theirs” while you edited it').waitFor();
    await drawer.getByText('Budget was changed to “7” while you edited it').waitFor();
  });

  it('a number of a lead may be cleared and typed again, and may be negative', async () => {
    const admin = await at.stack.addPerson('admin');
    const lead = await addLead(at.stack, admin, { name: 'Numbers', fields: { Balance: 10 } });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    const field = drawer.getByLabel('Balance', { exact: true });
    await field.click();
    await field.press('Control+a');
    await field.press('Delete');
    await page.keyboard.type('-2.5');
    expect(await field.inputValue()).to.equal('-2.5');
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Lead saved.').waitFor();
    const stored = await callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${lead.id}`);
    expect(stored.fields).to.deep.equal({ Balance: -2.5 });
  });

  it('saves no lead while a number is not one, and then shows the numbers of others', async () => {
    const admin = await at.stack.addPerson('admin');
    const lead = await addLead(at.stack, admin, { name: 'No number', fields: { Balance: 10 } });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    const field = drawer.getByLabel('Balance', { exact: true });
    const save = drawer.getByRole('button', { name: 'Save changes' });
    await drawer.getByLabel('Company').fill('Engines');
    await field.fill('-');
    await drawer.getByText('Not a number. Enter one to save the lead.').waitFor();
    await save.click();
    // The browser moves the focus to the field that stops the save.
    await drawer.locator('input:focus:invalid').waitFor();
    const stored = await callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${lead.id}`);
    expect(stored.company).to.equal(null);
    await drawer.getByRole('button', { name: 'Discard changes' }).click();
    await save.waitFor({ state: 'detached' });
    expect(await field.inputValue()).to.equal('10');
    await field.fill('7');
    await field.press('Enter');
    await page.getByText('Lead saved.').waitFor();
    await callAs(at.stack, admin, 'PATCH', `/leads/${lead.id}`, { patch: { fields: { Balance: 9 } } });
    await until(async () => (await field.inputValue()) === '9');
  });

  it('asks before a note alone is lost', async () => {
    const admin = await at.stack.addPerson('admin');
    const lead = await addLead(at.stack, admin, { name: 'Noted' });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByLabel('Note for the history').fill('Called back');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor();
  });
});
