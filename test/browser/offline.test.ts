import type { LeadPage } from '@sluice/dashboard-api/leads';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';

describe('browser: a browser without a network', () => {
  const at = useBrowser();

  it('reports at once that a write failed, and does not send it later', async () => {
    const admin = await at.stack.addPerson('admin');
    const page = await at.open('/leads', admin);
    await page.getByRole('button', { name: 'New lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'New lead' });
    await dialog.getByLabel('Name', { exact: true }).fill('Never created');
    await page.context().setOffline(true);
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await dialog.getByText('The server cannot be reached.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.context().setOffline(false);
    // The list loads again, after anything that waited for the network.
    await addLead(at.stack, admin, { name: 'Afterwards' });
    await page.getByRole('row', { name: /Afterwards/ }).waitFor();
    const { items } = await callAs<LeadPage>(at.stack, admin, 'GET', '/leads');
    expect(items.map(({ name }) => name)).to.deep.equal(['Afterwards']);
  });

  it('marks a page that cannot be read as not up to date, until the network is back', async () => {
    const admin = await at.stack.addPerson('admin');
    const page = await at.open('/settings/webhooks', admin);
    await page.getByRole('heading', { name: 'Send changes to another system' }).waitFor();
    await page.context().setOffline(true);
    const mark = page.getByText('Not up to date: The server cannot be reached.').first();
    await mark.waitFor();
    await page.context().setOffline(false);
    await mark.waitFor({ state: 'detached' });
  });

  it('goes on with a server that can be reached although the browser says that it is offline', async () => {
    const admin = await at.stack.addPerson('admin');
    const page = await at.open('/leads', admin);
    await page.getByRole('button', { name: 'New lead' }).waitFor();
    await page.evaluate("window.dispatchEvent(new Event('offline'))");
    await addLead(at.stack, admin, { name: 'On this machine' });
    await page.getByRole('row', { name: /On this machine/ }).waitFor();
    await page.getByRole('button', { name: 'New lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'New lead' });
    await dialog.getByLabel('Name', { exact: true }).fill('Also here');
    await dialog.getByRole('button', { name: 'Create lead' }).click();
    await page.getByText('Lead created.').waitFor();
    const find = () => callAs<LeadPage>(at.stack, admin, 'GET', '/leads?q=also');
    await until(async () => (await find()).items.length === 1);
  });
});
