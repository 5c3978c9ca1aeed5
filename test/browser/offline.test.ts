import type { LeadPage } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: a browser without a network', () => {
  const at = useBrowser();
  let admin: Person;
  before(async () => {
    admin = await at.stack.addPerson('admin');
  });

  it('reports at once that a write failed, and does not send it later', async () => {
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

  it('says so once on each page and in an open drawer, and reads all of it again once the server is back', async () => {
    await addLead(at.stack, admin, { name: 'Frozen' });
    const page = await at.open('/leads?q=Frozen', admin, { width: 1024, scheme: 'dark' });
    const row = page.getByRole('row', { name: /Frozen/ });
    await row.waitFor();
    await page.route('**/api/dashboard/**', (route) => route.abort());
    const said = page.getByText('The server cannot be reached.');
    await page.locator('#main > :first-child').getByText('Not up to date: The server cannot be').waitFor();
    await page.getByRole('link', { name: 'Conversations', exact: true }).click();
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    expect(await said.count(), 'on a page that was not read yet').to.equal(1);
    await page.goBack();
    await row.waitFor();
    expect(await said.count(), 'on a page that was read before').to.equal(1);
    await row.click();
    const drawer = page.getByRole('dialog', { name: 'Lead' });
    await drawer.getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/api/dashboard/**');
    await drawer.getByLabel('Name', { exact: true }).waitFor();
    await said.first().waitFor({ state: 'detached' });
  });

  it('goes on with a server that can be reached although the browser reports to be offline', async () => {
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
  });

  it('says that the user is still signed in if a sign-out cannot reach the server', async () => {
    const page = await at.open('/', admin);
    await page.getByRole('button', { name: /Kulturhaus Mitte/ }).click();
    await page.route(`**${ROUTES.session.signOut.path}`, (route) =>
      route.request().method() === ROUTES.session.signOut.method ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in. The server cannot be reached.').waitFor();
    expect(new URL(page.url()).pathname).to.equal('/');
  });
});
