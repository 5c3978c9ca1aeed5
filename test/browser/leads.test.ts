import type { LeadHistory, LeadItem } from '@sluice/dashboard-api/leads';
import { expect } from 'chai';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { until } from '../support/until.ts';
import { serious } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';

describe('browser: leads', () => {
  const at = useBrowser();

  it('an empty account names every way to get a first lead, and the first one works', async () => {
    const admin = await at.stack.addPerson('owner');
    const page = await at.open('/leads', admin);
    await page.getByRole('heading', { name: 'No leads yet' }).waitFor();
    for (const name of ['Import a CSV file', 'Create an API key', 'Set up a channel'])
      expect(await page.getByRole('link', { name }).isVisible(), name).to.equal(true);
    await page.getByRole('button', { name: 'Create a lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'New lead' });
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await dialog.getByText('Send at least one of name, email, phone and external_id.').waitFor();
    await dialog.getByLabel('Email').fill('not an address');
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await dialog.getByText(/Not an e-mail address/).waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await dialog.getByLabel('Email').fill('ada@example.com');
    await dialog.getByLabel('Tags').fill('fair');
    await dialog.getByLabel('Tags').press('Enter');
    await dialog.getByLabel('Name of a new field').fill('Budget');
    await dialog.getByLabel('Name of a new field').press('Enter');
    await dialog.getByLabel('Budget', { exact: true }).fill('5000');
    expect(await serious(page), 'dialog').to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByText('Ada Lovelace').first().waitFor();
    await drawer.getByText('Created', { exact: true }).last().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Ada Lovelace.*ada@example.com.*New.*fair.*dashboard/ }).waitFor();
  });

  it('edits fields, moves with a note, and shows who changed what', async () => {
    const admin = await at.stack.addPerson('admin');
    const lead = await addLead(at.stack, admin, { name: 'Grace Hopper', fields: { Budget: 10 } });
    const page = await at.open(`/leads?lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByLabel('Company').fill('US Navy');
    await drawer.getByLabel('Budget', { exact: true }).fill('12.5');
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Lead saved.').waitFor();
    await drawer
      .getByRole('listitem')
      .filter({ hasText: 'Changed' })
      .filter({ hasText: 'US Navy' })
      .waitFor();
    await drawer.getByLabel('Stage', { exact: true }).selectOption({ label: 'Won' });
    await drawer.getByLabel('Note for the history').fill('They signed');
    await drawer.getByRole('button', { name: 'Move', exact: true }).click();
    const moved = drawer.getByRole('listitem').filter({ hasText: 'They signed' });
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
    const noted = drawer.getByRole('listitem').filter({ hasText: 'They paid' });
    await noted.waitFor();
    expect(await noted.textContent()).to.match(new RegExp(`Note\\s*by ${admin.email}`, 'i'));
    const stored = await callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${lead.id}`);
    expect(stored).to.deep.include({ company: 'US Navy', stage: 'stg_won', fields: { Budget: 12.5 } });
  });

  it('a note that is sent again after an error is stored once, and a later equal one again', async () => {
    const admin = await at.stack.addPerson('admin');
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

  it('a change by another user appears within two seconds, and is not lost to a form that is being edited', async () => {
    const admin = await at.stack.addPerson('admin');
    const lead = await addLead(at.stack, admin, { name: 'Alan Turing', company: 'Bletchley' });
    const page = await at.open(`/leads?q=turing&lead=${lead.id}`, admin);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByLabel('Company').fill('NPL');
    const changedAt = Date.now();
    const patch = { company: 'Manchester', phone: '+44 161 496 0000' };
    await callAs(at.stack, admin, 'PATCH', `/leads/${lead.id}`, { patch });
    await drawer.getByText('Company was changed to “Manchester” while you edited it').waitFor();
    expect(Date.now() - changedAt).to.be.below(5000);
    expect(await drawer.getByLabel('Phone').inputValue()).to.equal('+44 161 496 0000');
    expect(await drawer.getByLabel('Company').inputValue()).to.equal('NPL');
    await drawer.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Lead saved.').waitFor();
    const stored = await callAs<LeadItem>(at.stack, admin, 'GET', `/leads/${lead.id}`);
    expect(stored).to.deep.include({ company: 'NPL', phone: '+44 161 496 0000' });
  });

  it('keeps what is typed into the search, also while it is too short to search', async () => {
    const admin = await at.stack.addPerson('admin');
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
  });

  it('keeps search, stage, tag and order in the address, and finds words without accents', async () => {
    const admin = await at.stack.addPerson('admin');
    await addLead(at.stack, admin, { name: 'Zoë Müller', tags: ['trade fair'] });
    await addLead(at.stack, admin, { name: 'Zoe Other', stage: 'stg_lost' });
    const page = await at.open('/leads', admin);
    await page.getByLabel('Search by name, company, email or phone').fill('zoe mull');
    await page.getByRole('row', { name: /Zoë Müller/ }).waitFor();
    await page.getByRole('row', { name: /Zoe Other/ }).waitFor({ state: 'detached' });
    await page.getByLabel('Search by name, company, email or phone').fill('zoe');
    await page.getByLabel('Stage', { exact: true }).selectOption({ label: 'Lost' });
    await page.getByRole('row', { name: /Zoe Other/ }).waitFor();
    // The first search has found both.
    await page.getByRole('row', { name: /Zoë Müller/ }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('row', { name: /Zoe Other/ }).waitFor();
    expect(page.url())
      .to.match(/[?&]q=zoe/)
      .and.match(/[?&]stage=stg_lost/);
    await page.getByLabel('Tag', { exact: true }).fill('trade fair');
    await page.getByRole('heading', { name: 'No lead matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('row', { name: /Zoë Müller/ }).waitFor();
  });

  it('shows viewers everything and lets them change nothing', async () => {
    const admin = await at.stack.addPerson('admin');
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

  it('an owner erases a lead with its conversations, as the dialog says, and it disappears from other open pages', async () => {
    const owner = at.stack.people[0] ?? (await at.stack.addPerson('owner'));
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
    const other = await at.open('/leads?q=forget', owner);
    await other.getByRole('row', { name: /Forget Me/ }).waitFor();
    const page = await at.open(`/leads?lead=${lead.id}`, owner);
    await page.getByRole('button', { name: 'Erase lead' }).click();
    await page.getByText('messages of its 2 conversations are removed too').waitFor();
    await page.getByRole('button', { name: 'Erase permanently' }).click();
    await page.getByText('The lead is erased.').waitFor();
    for (const id of conversations) {
      const left = await at.stack.store.conversationMessages.pageMessages(id, { descending: true, limit: 1 });
      expect(left.items).to.deep.equal([]);
    }
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await other.getByRole('row', { name: /Forget Me/ }).waitFor({ state: 'detached' });
    const history = () => callAs<LeadHistory>(at.stack, owner, 'GET', `/leads/${lead.id}/history`);
    await until(() =>
      history().then(
        () => false,
        (error: Error) => /^404/.test(error.message),
      ),
    );
  });

  it('creates a lead with a tag that is typed, by one click on the button', async () => {
    const admin = await at.stack.addPerson('admin');
    const page = await at.open('/leads', admin);
    await page.getByRole('button', { name: 'New lead' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('One Click');
    await dialog.getByRole('textbox', { name: 'Tags' }).fill('fair');
    const button = dialog.getByRole('button', { name: 'Create lead' });
    await button.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    await page.mouse.click(x + width / 2, y + height / 2, { delay: 50 });
    await page.getByRole('row', { name: /One Click.*fair/ }).waitFor();
  });

  it('fills, saves and closes a lead with the keyboard alone', async () => {
    const admin = await at.stack.addPerson('admin');
    await addLead(at.stack, admin, { name: 'Key Board' });
    const page = await at.open('/leads?q=key', admin);
    await page.getByRole('row', { name: /Key Board/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByLabel('Company').waitFor();
    await drawer.getByLabel('Company').focus();
    await page.keyboard.type('Typed');
    await page.keyboard.press('Enter');
    await page.getByText('Lead saved.').waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    const focused = await page.evaluate<string>('document.activeElement?.innerText');
    expect(focused, 'focus is back on the row').to.contain('Key Board');
  });
});
