import type { LeadItem } from '@sluice/dashboard-api/leads';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { hold } from './support/held.ts';
import { addLead } from './support/leads.ts';
import { addSource, callAs, send, type TestSource, untilLogged } from './support/source.ts';
import { PASSWORD, type Person } from './support/stack.ts';

describe('browser: forms that are not saved', () => {
  const at = useBrowser();
  let admin: Person;
  let source: TestSource;
  before(async () => {
    admin = await at.stack.addPerson('admin');
    source = await addSource(at.stack, admin);
  });

  const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' });
  const leadDrawer = (page: Page) => page.getByRole('dialog', { name: 'Lead', exact: true });
  const keepEditing = async (page: Page) => {
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await question(page).waitFor({ state: 'detached' });
  };
  const newLead = async (page: Page) => {
    await page.getByRole('button', { name: 'New lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'New lead' });
    await dialog.getByLabel('Name', { exact: true }).fill('Half Filled');
    return dialog;
  };

  it('ask before Escape or a click outside loses a lead that was typed', async () => {
    const page = await at.open('/leads', admin);
    const dialog = await newLead(page);
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
      await leave();
      await keepEditing(page);
      expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).to.equal('Half Filled');
    }
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Discard changes' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('ask before Escape loses a name or an address that was typed, and not before', async () => {
    const page = await at.open('/', await at.stack.person('owner'));
    for (const [path, button, field] of [
      ['/settings/pipeline', 'Add stage', 'Name'],
      ['/events/webhook', 'Add source', 'Name'],
      ['/settings/members', 'Invite', 'Email'],
    ] as const) {
      await page.goto(at.stack.url + path);
      await page.getByRole('button', { name: button }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(field).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: button }).first().click();
      await dialog.getByLabel(field).fill('half@typed');
      await page.keyboard.press('Escape');
      await keepEditing(page);
      expect(await dialog.getByLabel(field).inputValue()).to.equal('half@typed');
      await page.keyboard.press('Escape');
      await question(page).getByRole('button', { name: 'Discard changes' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('ask before Back or Escape loses a field, a tag or a note of a lead, and not once it is saved', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Ada' });
    const page = await at.open('/leads', admin);
    await page.getByRole('row', { name: /Ada/ }).click();
    const drawer = leadDrawer(page);
    await drawer.getByLabel('Company').fill('Engines');
    const here = page.url();
    await page.goBack();
    await keepEditing(page);
    expect(page.url()).to.equal(here);
    expect(await drawer.getByLabel('Company').inputValue()).to.equal('Engines');
    await page.goBack();
    await question(page).getByRole('button', { name: 'Discard changes' }).click();
    await drawer.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).to.equal('');
    expect(await callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${lead.id}`)).to.include({ company: null });

    await page.getByRole('row', { name: /Ada/ }).click();
    await drawer.getByLabel('Note for the history').fill('Called back');
    await page.keyboard.press('Escape');
    await keepEditing(page);
    await drawer.getByLabel('Note for the history').fill('');
    // A tag that is typed and not yet added.
    await drawer.getByLabel('Tags', { exact: true }).fill('fair');
    await page.keyboard.press('Escape');
    await keepEditing(page);
    await drawer.getByRole('button', { name: 'Remove tag fair' }).waitFor();
    await page.keyboard.press('Escape');
    await question(page).waitFor();
    await page.keyboard.press('Escape');
    await question(page).waitFor({ state: 'detached' });
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Lead saved.').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('ask before a link of the navigation or a tab loses settings that were changed', async () => {
    const page = await at.open(`/events/webhook/${source.id}/settings`, admin);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Half typed');
    for (const leave of [
      () => page.getByRole('link', { name: 'Leads', exact: true }).click(),
      () => page.getByRole('tab', { name: 'Recent Deliveries' }).click(),
    ]) {
      await leave();
      await keepEditing(page);
      expect(await name.inputValue()).to.equal('Half typed');
    }
    await page.getByRole('link', { name: 'Leads', exact: true }).click();
    await question(page).getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor();
    // Nothing is left to ask about.
    await page.goBack();
    await name.waitFor();
    expect(await name.inputValue()).to.equal(source.name);
  });

  it('are above their drawer: Escape closes a question, and not the drawer too', async () => {
    const { body } = await send(source, { title: 'Two layers' });
    await untilLogged(at.stack, admin, body.delivery_id);
    const page = await at.open(`/events?source_id=${source.id}`, admin);
    await page.getByRole('row', { name: /Two layers/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByRole('button', { name: 'Delete event' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete “Two layers”?' });
    await deletion.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Escape');
    await deletion.waitFor({ state: 'detached' });
    expect(await drawer.isVisible()).to.equal(true);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  });

  it('keep what was typed when the session ends, until the user signs in again or discards it', async () => {
    const page = await at.open('/leads', await at.stack.addPerson('admin'));
    const { email } = at.stack.people.at(-1) as Person;
    const dialog = await newLead(page);
    // The page notices it with its next poll.
    await page.context().clearCookies();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    expect(await again.getByLabel('Email').inputValue()).to.equal(email.toLowerCase());
    // The password can be typed at once.
    await again.locator('input[name=password]:focus').waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await page.getByText('Lead created.').waitFor();
    await leadDrawer(page).getByText('Half Filled').first().waitFor();
    await page.keyboard.press('Escape');
    await leadDrawer(page).waitFor({ state: 'detached' });

    await newLead(page);
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Discard what I typed' }).click();
    await page.getByRole('heading', { name: 'Sign in to Sluice' }).waitFor();
  });

  it('save no lead while a number is not one, accept negative ones, and then show the numbers of others', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Numbers', fields: { Balance: 10 } });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = leadDrawer(page);
    const field = drawer.getByLabel('Balance', { exact: true });
    const save = drawer.getByRole('button', { name: 'Save changes' });
    const stored = () => callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${lead.id}`);
    await drawer.getByLabel('Company').fill('Engines');
    await field.fill('-');
    await drawer.getByText('Not a number. Enter one to save the lead.').waitFor();
    await save.click();
    // The browser moves the focus to the field that stops the save.
    await drawer.locator('input:focus:invalid').waitFor();
    expect((await stored()).company).to.equal(null);
    await drawer.getByRole('button', { name: 'Discard changes' }).click();
    await save.waitFor({ state: 'detached' });
    expect(await field.inputValue()).to.equal('10');
    await field.click();
    await field.press('Control+a');
    await field.press('Delete');
    await page.keyboard.type('-2.5');
    expect(await field.inputValue()).to.equal('-2.5');
    await field.press('Enter');
    await page.getByText('Lead saved.').waitFor();
    expect((await stored()).fields).to.deep.equal({ Balance: -2.5 });
    await callAs(at.stack, admin, 'PATCH', `/leads/${lead.id}`, { patch: { fields: { Balance: 9 } } });
    await until(async () => (await field.inputValue()) === '9');
  });

  /** Saves a field, goes on typing, and lets the save succeed. */
  const typeWhileSaving = async (
    page: Page,
    saves: {
      readonly field: Locator;
      readonly button: string;
      readonly method: string;
      readonly path: string;
      readonly done: string;
    },
  ) => {
    const held = await hold(page, `${DASHBOARD_API}${saves.path}`, saves.method);
    await saves.field.fill('One');
    await page.getByRole('button', { name: saves.button }).click();
    await held.asked;
    await saves.field.fill('Two');
    await held.release();
    await page.getByText(saves.done).waitFor();
    expect(await saves.field.inputValue()).to.equal('Two');
  };

  it('keep what is typed while a save runs: fields and notes of a lead, settings of a source', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Typed' });
    const path = `/leads/${lead.id}`;
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = leadDrawer(page);
    await typeWhileSaving(page, {
      field: drawer.getByLabel('Note', { exact: true }),
      button: 'Save changes',
      method: 'PATCH',
      path,
      done: 'Lead saved.',
    });
    expect(await drawer.getByText('while you edited it').count(), 'warnings').to.equal(0);
    const save = drawer.getByRole('button', { name: 'Save changes' });
    await save.click();
    await save.waitFor({ state: 'detached' });
    expect((await callAs<LeadItem>(at.stack, admin, 'GET', path)).note).to.equal('Two');
    await typeWhileSaving(page, {
      field: drawer.getByLabel('Note for the history'),
      button: 'Add note',
      method: 'POST',
      path: `${path}/stage`,
      done: 'Note added to the history.',
    });
    await page.goto(`${at.stack.url}/events/webhook/${source.id}/settings`);
    await typeWhileSaving(page, {
      field: page.getByLabel('Name', { exact: true }),
      button: 'Save settings',
      method: 'PATCH',
      path: `/sources/${source.id}`,
      done: 'Settings saved.',
    });
  });
});
