import type { LeadHistory, LeadItem, LeadPage } from '@sluice/dashboard-api/leads';
import { expect } from 'chai';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: leads', () => {
  const at = useBrowser();
  let owner: Person;
  let admin: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    admin = await at.stack.addPerson('admin');
  });

  it('an empty account names every way to get a first lead, and the first one works', async () => {
    const page = await at.open('/leads', admin);
    await page.getByRole('heading', { name: 'No leads yet' }).waitFor();
    for (const name of ['Import a CSV file', 'Create an API key', 'Set up a channel'])
      expect(await page.getByRole('link', { name }).isVisible(), name).to.equal(true);
    await page.getByRole('button', { name: 'Create a lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'New lead' });
    const create = dialog.getByRole('button', { name: 'Create lead' });
    await create.click();
    await dialog.getByText('Send at least one of name, email, phone and external_id.').waitFor();
    await dialog.getByLabel('Email').fill('not an address');
    await create.click();
    await dialog.getByText(/Not an e-mail address/).waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await dialog.getByLabel('Email').fill('ada@example.com');
    await dialog.getByLabel('Name of a new field').fill('Budget');
    await dialog.getByLabel('Name of a new field').press('Enter');
    await dialog.getByLabel('Budget', { exact: true }).fill('5000');
    // A tag that is typed is part of the lead, and one click is enough although the form then grows.
    await dialog.getByRole('textbox', { name: 'Tags' }).fill('fair');
    await create.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await create.boundingBox()) ?? {};
    await page.mouse.click(x + width / 2, y + height / 2, { delay: 50 });
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByText('Ada Lovelace').first().waitFor();
    await drawer.getByText('Created', { exact: true }).last().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Ada Lovelace.*ada@example.com.*New.*fair.*dashboard/ }).waitFor();
  });

  it('a lead is edited and moved with the keyboard alone, and its history shows who changed what', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Grace Hopper', fields: { Budget: 10 } });
    const page = await at.open('/leads?q=grace', admin);
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByLabel('Budget', { exact: true }).fill('12.5');
    await drawer.getByLabel('Company').focus();
    await page.keyboard.type('US Navy');
    await page.keyboard.press('Enter');
    await page.getByText('Lead saved.').waitFor();
    const entry = (text: string) => drawer.getByRole('listitem').filter({ hasText: text });
    await entry('Changed').filter({ hasText: 'US Navy' }).waitFor();
    await drawer.getByLabel('Stage', { exact: true }).selectOption({ label: 'Won' });
    await drawer.getByLabel('Note for the history').fill('They signed');
    await drawer.getByRole('button', { name: 'Move', exact: true }).press('Enter');
    const moved = entry('They signed');
    await moved.waitFor();
    await drawer.getByRole('button', { name: 'Move', exact: true }).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.placeholder'), 'the focus').to.equal('Optional');
    expect(await moved.textContent()).to.match(new RegExp(`Moved\\s*by ${admin.email}`, 'i'));
    expect(await moved.locator('del').textContent()).to.contain('New');
    expect(await moved.locator('ins').textContent()).to.contain('Won');
    expect(await drawer.getByRole('button', { name: 'Add note' }).count(), 'without a text').to.equal(0);
    await drawer.getByLabel('Note for the history').fill('They paid');
    await page.keyboard.press('Enter');
    await page.getByText('Note added to the history.').waitFor();
    await entry('They paid').waitFor();
    expect(await entry('They paid').textContent()).to.match(new RegExp(`Note\\s*by ${admin.email}`, 'i'));
    const stored = await callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${lead.id}`);
    expect(stored).to.deep.include({ company: 'US Navy', stage: 'stg_won', fields: { Budget: 12.5 } });
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    const focused = await page.evaluate<string>('document.activeElement?.innerText');
    expect(focused, 'focus is back on the row').to.contain('Grace Hopper');
  });

  it('a new lead names another one with its address, and keeps a number of a field as a number', async () => {
    const first = await addLead(at.stack, owner, { name: 'Mia Schneider', email: 'mia@example.com' });
    const page = await at.open('/leads', owner);
    await page.getByRole('button', { name: 'New lead' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of a new field').fill('Budget');
    await dialog.getByLabel('Type of the new field').selectOption('Number');
    await dialog.getByRole('button', { name: 'Add field' }).click();
    await dialog.getByLabel('Budget', { exact: true }).fill('5000');
    await dialog.getByLabel('Email').fill('MIA@example.com');
    await dialog.getByLabel('Name', { exact: true }).fill('Mia again');
    await dialog.getByText('Mia Schneider has this address.').waitFor();
    const link = dialog.getByRole('link', { name: 'Open that lead' });
    expect(await link.getAttribute('href')).to.contain(first.id);
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await page.getByText('Lead created.').waitFor();
    const { items } = await callAs<LeadPage>(at.stack, owner, 'GET', '/leads?q=again');
    expect(items.map(({ fields }) => fields)).to.deep.equal([{ Budget: 5000 }]);
  });

  it('a note that is sent again after an error is stored once, and a later equal one again', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Mary Somerville' });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    const field = drawer.getByLabel('Note for the history');
    const add = async () => {
      await field.fill('Called back');
      await drawer.getByRole('button', { name: 'Add note' }).click();
    };
    const stages = `**/leads/${lead.id}/stage`;
    // The change takes effect, and its response is lost.
    await page.route(stages, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await add();
    await drawer.getByRole('alert').waitFor();
    await page.unroute(stages);
    const notes = async () => {
      const { items } = await callAs<LeadHistory>(at.stack, admin, 'GET', `/leads/${lead.id}/history`);
      return items.filter(({ note }) => note === 'Called back').length;
    };
    for (const count of [1, 2]) {
      await add();
      await until(async () => (await field.inputValue()) === '');
      expect(await notes()).to.equal(count);
    }
  });

  it('a change by another user appears, and is not lost to a form that is being edited', async () => {
    const lead = await addLead(at.stack, admin, {
      name: 'Alan Turing',
      company: 'Bletchley',
      tags: ['fair'],
      fields: { Budget: 5 },
    });
    const page = await at.open(`/leads?q=turing&lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByLabel('Company').fill('NPL');
    await drawer.getByRole('textbox', { name: 'Tags' }).fill('mine');
    await drawer.getByRole('textbox', { name: 'Tags' }).press('Enter');
    await drawer.getByLabel('Budget', { exact: true }).fill('6');
    const phone = '+44 161 496 0000';
    const patch = { company: 'Manchester', phone, tags: ['fair', 'theirs'], fields: { Budget: 7 } };
    await callAs(at.stack, admin, 'PATCH', `/leads/${lead.id}`, { patch });
    for (const [field, value] of [
      ['Company', 'Manchester'],
      ['Tags', 'fair, theirs'],
      ['Budget', '7'],
    ])
      await drawer.getByText(`${field} was changed to “${value}” while you edited it`).waitFor();
    expect(await drawer.getByLabel('Phone').inputValue()).to.equal(phone);
    expect(await drawer.getByLabel('Company').inputValue()).to.equal('NPL');
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Lead saved.').waitFor();
    const stored = await callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${lead.id}`);
    expect(stored).to.deep.include({ company: 'NPL', phone, fields: { Budget: 6 } });
  });

  it('search, stage, tag and order stay in the address, also a search that is too short, and accents do not matter', async () => {
    await addLead(at.stack, admin, { name: 'Zoë Müller', tags: ['trade fair'] });
    await addLead(at.stack, admin, { name: 'Zoe Other', stage: 'stg_lost' });
    const page = await at.open('/leads?q=wi', admin);
    const field = page.getByLabel('Search by name, company, email or phone');
    await field.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.waitForURL((url) => url.searchParams.get('q') === 'w');
    await page.keyboard.type('a');
    await page.waitForURL((url) => url.searchParams.get('q') === 'wa');
    expect(await field.inputValue()).to.equal('wa');
    await page.goto(`${at.stack.url}/leads?q=w`);
    expect(await field.inputValue()).to.equal('w');
    const muller = page.getByRole('row', { name: /Zoë Müller/ });
    const other = page.getByRole('row', { name: /Zoe Other/ });
    await field.fill('zoe mull');
    await muller.waitFor();
    await other.waitFor({ state: 'detached' });
    await field.fill('zoe');
    await page.getByLabel('Stage', { exact: true }).selectOption({ label: 'Lost' });
    await other.waitFor();
    // The first search has found both.
    await muller.waitFor({ state: 'detached' });
    await page.reload();
    await other.waitFor();
    expect(page.url())
      .to.match(/[?&]q=zoe/)
      .and.match(/[?&]stage=stg_lost/);
    await page.getByLabel('Tag', { exact: true }).fill('trade fair');
    await page.getByRole('heading', { name: 'No lead matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await muller.waitFor();
  });

  it('viewers see everything and change nothing', async () => {
    const lead = await addLead(at.stack, admin, { name: 'Read Only', note: 'Met at the fair' });
    const page = await at.open(`/leads?lead=${lead.id}`, await at.stack.addPerson('viewer'));
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByText('Met at the fair').first().waitFor();
    expect(await drawer.getByRole('textbox').count()).to.equal(0);
    expect(await drawer.getByRole('button', { name: /Erase|Save|Move/ }).count()).to.equal(0);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'New lead' }).count()).to.equal(0);
    expect(await page.getByRole('link', { name: /Export|Import/ }).count()).to.equal(0);
  });

  it('an owner erases a lead with its conversations, and it disappears from other open pages', async () => {
    await addLead(at.stack, owner, { name: 'Forgotten last' });
    const lead = await addLead(at.stack, owner, { name: 'Forget Me' });
    const channel = { accountId: at.stack.accountId, channelId: 'chn_forgotten' };
    const conversations = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const id = await applyActions(at.stack.store, channel, [visitorSays(name, 'Who am I?')]);
        const link = { lead_id: lead.id, updated_at: Date.now() };
        await at.stack.store.conversationLinks.endWait({ conversation_id: id, revision: 1 }, link);
        return id;
      }),
    );
    const other = await at.open('/leads?q=forg', admin);
    await other.getByRole('row', { name: /Forget Me/ }).waitFor();
    const page = await at.open('/leads?q=forg', owner);
    await page.getByRole('row', { name: /Forget Me/ }).press('Enter');
    await page.getByRole('button', { name: 'Erase lead' }).press('Enter');
    await page.getByText('messages of its 2 conversations are removed too').waitFor();
    await page.getByRole('button', { name: 'Erase permanently' }).press('Enter');
    await page.getByText('The lead is erased.').waitFor();
    for (const id of conversations) {
      const left = await at.stack.store.conversationMessages.pageMessages(id, { descending: true, limit: 1 });
      expect(left.items).to.deep.equal([]);
    }
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    // The focus goes on at the next row.
    await page.locator('tr:focus, tr:has(:focus)').filter({ hasText: 'Forgotten last' }).waitFor();
    await page.goto(`${at.stack.url}/conversations/${conversations[0]}`);
    await page.getByRole('heading', { name: /^Erased on .* with its lead$/ }).waitFor();
    await page.getByRole('heading', { name: 'Erased visitor' }).waitFor();
    expect(await page.getByRole('button', { name: 'Take over' }).count()).to.equal(0);
    await other.getByRole('row', { name: /Forget Me/ }).waitFor({ state: 'detached' });
    const history = () => callAs<LeadHistory>(at.stack, owner, 'GET', `/leads/${lead.id}/history`);
    await until(() =>
      history().then(
        () => false,
        (error: Error) => /^404/.test(error.message),
      ),
    );
  });
});
