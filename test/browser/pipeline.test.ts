import type { LeadItem, LeadPage } from '@sluice/dashboard-api/leads';
import type { Pipeline } from '@sluice/dashboard-api/pipeline';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { axeFindings } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: pipeline', () => {
  const at = useBrowser();
  let admin: Person;
  const stored = async () => (await callAs<Pipeline>(at.stack, admin, 'GET', '/pipeline')).stages;
  const names = async () => (await stored()).map(({ name }) => name);
  const shown = (page: Page) => page.locator('[data-stage] strong').allInnerTexts();
  before(async () => {
    admin = await at.stack.addPerson('admin');
  });

  it('adds a stage, renames it and changes its kind', async () => {
    const page = await at.open('/settings/pipeline', admin);
    await page.getByRole('button', { name: 'Add stage' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('  ');
    await page.getByRole('dialog').getByRole('button', { name: 'Add stage' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Empty/)
      .waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill('Demo booked');
    expect(await axeFindings(page), 'dialog').to.deep.equal([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Add stage' }).click();
    await page.getByRole('button', { name: 'Edit Demo booked' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Demo done');
    await page.getByRole('dialog').getByLabel('Kind').selectOption('won');
    await page.getByRole('button', { name: 'Save stage' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Demo done').waitFor();
    expect((await stored()).find(({ name }) => name === 'Demo done')?.kind).to.equal('won');
  });

  it('orders the stages with the keyboard and by dragging, announces each place, and puts one back that is not stored', async () => {
    const page = await at.open('/settings/pipeline', admin);
    await page.getByRole('button', { name: 'Move Contacted up' }).focus();
    const before = await shown(page);
    const place = before.indexOf('Contacted');
    await page.keyboard.press('Enter');
    await until(async () => (await shown(page)).indexOf('Contacted') === place - 1);
    await page.getByText(`Contacted is now stage ${place} of ${before.length}.`).waitFor();
    await until(async () => (await names()).indexOf('Contacted') === place - 1);
    const grip = page.locator('[data-stage]', { hasText: 'Lost' }).locator('[title="Drag to another place"]');
    await grip.dragTo(page.locator('[data-stage]').first());
    await until(async () => (await names())[0] === 'Lost');
    await until(async () => (await shown(page))[0] === 'Lost');

    const up = page.getByRole('button', { name: 'Move Contacted up' });
    const last = await shown(page);
    await page.route('**/api/dashboard/**', (route) => route.abort());
    await up.click();
    await page.getByRole('alert').getByText('The server cannot be reached.').first().waitFor();
    expect(await shown(page)).to.deep.equal(last);
  });

  it('retires a stage: its leads move to the chosen one, and it is gone', async () => {
    const added = await callAs<Pipeline>(at.stack, admin, 'POST', '/pipeline/stages', {
      name: 'Old stage',
      kind: 'open',
    });
    const old = added.stages.find(({ name }) => name === 'Old stage')?.id as string;
    const leads: LeadItem[] = [];
    for (let index = 0; index < 3; index++)
      leads.push(await addLead(at.stack, admin, { name: `Retired ${index}`, stage: old }));
    const page = await at.open('/settings/pipeline', admin);
    await page.getByRole('button', { name: 'Retire Old stage' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Move 3 leads to').selectOption({ label: 'Qualified' });
    await dialog.getByRole('button', { name: 'Retire stage' }).click();
    await page.getByText('The stage “Old stage” is gone.').waitFor();
    expect(await names()).not.to.include('Old stage');
    const { items } = await callAs<LeadPage>(at.stack, admin, 'GET', '/leads?q=retired');
    expect(items.map(({ stage }) => stage)).to.deep.equal(Array(3).fill('stg_qualified'));
  });

  it('the country decides how numbers without a prefix are read', async () => {
    const page = await at.open('/settings/pipeline', admin);
    await page.getByLabel('Country of numbers without a prefix').selectOption({ label: 'Germany' });
    const untouched = await addLead(at.stack, admin, { phone: '030 901819' });
    expect(untouched.phone_e164, 'before it is saved').to.equal(null);
    await page.getByRole('button', { name: 'Save country' }).click();
    await page.getByText(/Country saved/).waitFor();
    const lead = await addLead(at.stack, admin, { phone: '030 901820' });
    expect(lead.phone_e164).to.equal('+4930901820');
  });

  it('viewers see the stages and cannot change them', async () => {
    const page = await at.open('/settings/pipeline', await at.stack.addPerson('viewer'));
    await page.getByText('Qualified').first().waitFor();
    const changing = page.getByRole('main').getByRole('button', { name: /Add|Edit|Retire|Move/ });
    expect(await changing.count()).to.equal(0);
    expect(await page.getByLabel('Country of numbers without a prefix').isDisabled()).to.equal(true);
  });
});
