import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { hold } from './support/held.ts';
import { addLead } from './support/leads.ts';
import { addSource } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: a form', () => {
  const at = useBrowser();
  let admin: Person;
  before(async () => {
    admin = await at.stack.addPerson('admin');
  });

  it('in a dialog or drawer keeps its button in view, and leads to the first wrong field', async () => {
    const page = await at.open('/settings/webhooks', admin);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('button', { name: 'Add subscription' }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Add subscription' });
    const url = dialog.getByLabel('URL');
    await url.fill('https://1.1.1.1/hook');
    expect((await submit.boundingBox())?.y).to.be.below(720);
    // No kind of event is chosen.
    await submit.click();
    await dialog.getByText('Choose at least one event.').waitFor();
    await dialog.locator('input[type=checkbox]:focus').waitFor();
    await dialog.getByRole('checkbox', { name: 'All events' }).check();
    await url.fill('ftp://bad');
    await dialog.getByLabel('Leads in').focus();
    await submit.click();
    await dialog.locator('input[type=url]:focus').waitFor();
    const { y = 0 } = (await url.boundingBox()) ?? {};
    expect(y, 'in view').to.be.within(0, 720);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await page.goto(`${at.stack.url}/leads`);
    await page.getByRole('button', { name: 'New lead' }).click();
    await dialog.locator('input:focus').waitFor();
    expect(
      await dialog.getByLabel('Name', { exact: true }).evaluate((one) => one.matches(':focus')),
    ).to.equal(true);
    expect((await dialog.getByRole('button', { name: 'Create lead' }).boundingBox())?.y).to.be.below(720);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    const { id } = await addLead(at.stack, admin, { name: 'Ada' });
    await page.goto(`${at.stack.url}/leads?lead=${id}`);
    await dialog.getByLabel('Name', { exact: true }).fill('Grace');
    expect((await dialog.getByRole('button', { name: 'Save changes' }).boundingBox())?.y).to.be.below(720);
  });

  it('keeps the focus on its button while it loads, which sends nothing twice', async () => {
    const { id } = await addSource(at.stack, admin);
    const page = await at.open(`/events/webhook/${id}/settings`, admin);
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent += 1;
    });
    const held = await hold(page, `${DASHBOARD_API}/sources/${id}`, 'PATCH');
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    const save = page.getByRole('button', { name: 'Save settings' });
    await save.press('Enter');
    await held.asked;
    await page.locator('button:focus[aria-disabled=true]').waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await save.focus();
    await held.release();
    await page.getByText('Settings saved.').waitFor();
    expect(await save.evaluate((one) => one.matches(':focus'))).to.equal(true);
    expect(sent).to.equal(1);
  });
});
