import type { DeliveryPage } from '@sluice/dashboard-api/deliveries';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send, type TestSource } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: settings of a source', () => {
  const at = useBrowser();
  let owner: Person;
  let source: TestSource;
  let page: Page;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });
  beforeEach(async () => {
    source = await addSource(at.stack, owner);
    page = await at.open(`/events/webhook/${source.id}/settings`, owner);
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
  });

  it('shows a new name in the page title and in the list of sources, and saves only what was changed here', async () => {
    const path = `/sources/${source.id}`;
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed source');
    await callAs(at.stack, owner, 'PATCH', path, { body_storage: 'none', rate_per_second: 7 });
    await save();
    await page.getByRole('heading', { name: 'Renamed source' }).waitFor();
    const saved = await callAs<Record<string, unknown>>(at.stack, owner, 'GET', path);
    expect(saved).to.include({ name: 'Renamed source', body_storage: 'none', rate_per_second: 7 });
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).to.equal('Renamed source');
    expect(await page.getByLabel('Keep request bodies').inputValue()).to.equal('none');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('No changes to save').waitFor();
    await page.goto(`${at.stack.url}/events/webhook`);
    await page.getByRole('link', { name: 'Renamed source' }).waitFor();
  });

  it('switches external ids off and on', async () => {
    const stored = async () =>
      (await callAs<Record<string, unknown>>(at.stack, owner, 'GET', `/sources/${source.id}`)).external_ids;
    const box = page.getByRole('checkbox', { name: 'External ids' });
    expect([await box.isChecked(), await stored()]).to.deep.equal([true, true]);
    await box.uncheck();
    await save();
    expect(await stored()).to.equal(false);
    await send(source, { title: 'With an id', external_id: 'b-1' });
    await send(source, { title: 'Without one' });
    await page.goto(`${at.stack.url}/events/webhook/${source.id}/setup`);
    await page.getByText('1 of the last 2 bodies have external_id').waitFor();
    await page.getByRole('link', { name: 'switch on External ids' }).click();
    await box.check();
    await save();
    expect(await stored()).to.equal(true);
  });

  it('applies a new rate from the next request on, and an empty field restores the default', async () => {
    const byDefault = await page.getByLabel('Requests a second').inputValue();
    await page.getByLabel('Requests a second').fill('1');
    await page.getByLabel('Burst').fill('1');
    await save();
    await until(async () => (await send(source)).status === 429, { what: 'two requests within a second' });
    await page.getByLabel('Requests a second').fill('');
    await page.getByLabel('Burst').fill('');
    await save();
    expect((await send(source)).status).to.equal(200);
    await page.reload();
    expect(await page.getByLabel('Requests a second').inputValue()).to.equal(byDefault);
  });

  it('stores no bodies, or those of failures, as chosen, and the drawer of a delivery says so', async () => {
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await page.getByLabel('Keep request bodies').selectOption('None');
    await save();
    const none = await send(source, { title: 'Not kept' });
    await until(async () => (await log()).items.length === 1, { what: 'it is in the log' });
    await page.goto(`${at.stack.url}/deliveries/${none.body.delivery_id}`);
    await drawer.getByText('the settings of the source keep no bodies').waitFor();
    await drawer.getByText('Cannot be reprocessed: the body was not stored').waitFor();
    expect(await drawer.getByRole('button', { name: 'Reprocess' }).isDisabled()).to.equal(true);

    await page.goto(`${at.stack.url}/events/webhook/${source.id}/settings`);
    await page.getByLabel('Keep request bodies').selectOption('failures');
    await save();
    const well = await send(source, { title: 'Went well' });
    await send(source, { title: '' });
    await until(async () => (await log()).items.length === 3, { what: 'all are in the log' });
    await page.goto(`${at.stack.url}/deliveries/${well.body.delivery_id}`);
    await drawer.getByText('the source keeps bodies of failures only').waitFor();
    const refused = (await log()).items.find(({ outcome }) => outcome === 'rejected');
    await page.goto(`${at.stack.url}/deliveries/${refused?.delivery_id}`);
    await drawer.getByRole('tab', { name: 'Request' }).click();
    await drawer.getByText('"starts_at"').waitFor();
  });

  it('shows the settings to a viewer without letting them change any', async () => {
    const viewer = await at.stack.addPerson('viewer');
    const seen = await at.open(`/events/webhook/${source.id}/settings`, viewer);
    await seen.getByRole('textbox', { name: 'Name' }).waitFor();
    for (const name of ['Name', 'Keep request bodies', 'Requests a second', 'Burst']) {
      expect(await seen.getByLabel(name, { exact: true }).isDisabled(), name).to.equal(true);
    }
    expect(await seen.getByRole('button', { name: 'Save settings' }).count()).to.equal(0);
  });

  async function save(): Promise<void> {
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Save settings' }).click();
    expect((await saved).status()).to.equal(200);
    await page.getByText('Settings saved').first().waitFor();
  }

  function log(): Promise<DeliveryPage> {
    return callAs<DeliveryPage>(at.stack, owner, 'GET', `/deliveries?source_id=${source.id}`);
  }
});
