import type { DeliveryPage } from '@sluice/contract/dashboard/deliveries';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send } from './support/source.ts';

describe('browser: reprocessing', () => {
  const at = useBrowser();

  it('one delivery: asks, then a new row names the old one', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    await send(source, { title: 'Again please' });
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByRole('row', { name: /Again please/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByRole('button', { name: 'Reprocess' }).click();
    await page
      .getByRole('dialog', { name: 'Reprocess this delivery?' })
      .getByRole('button', { name: 'Reprocess' })
      .click();
    await page.getByText('Reprocessed as').first().waitFor();
    await page.getByRole('row', { name: /Again please.*reprocessed/, includeHidden: true }).waitFor();
    await drawer.getByText('Reprocessed as').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Again please.*reprocessed/ }).click();
    await drawer.getByText('Reprocesses').waitFor();
  });

  it('all that match: the count first, then the confirmation; refused ones are left alone', async () => {
    const owner = await at.stack.addPerson('admin');
    const source = await addSource(at.stack, owner);
    for (const title of ['Batch 1', 'Batch 2', 'Other']) await send(source, { title });
    await send(source, {}, 'whsec_wrong');
    const list = () => callAs<DeliveryPage>(at.stack, owner, 'GET', `/deliveries?source_id=${source.id}`);
    await until(async () => (await list()).items.length === 4);
    const page = await at.open(`/events/webhook/${source.id}/deliveries?title=batch`, owner);
    await page.getByRole('row', { name: /Batch 1/ }).waitFor();
    await page.getByRole('button', { name: 'Reprocess all matching…' }).click();
    await page.getByText('2 deliveries match the filters, 2 of them can be reprocessed').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await list()).items.length, 'after Cancel').to.equal(4);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('row', { name: /Other/ }).waitFor();
    await page.getByRole('button', { name: 'Reprocess all matching…' }).click();
    await page.getByText('4 deliveries match the filters, 3 of them can be reprocessed').waitFor();
    await page.getByRole('button', { name: 'Reprocess 3' }).click();
    await until(async () => (await list()).items.filter((item) => item.reprocess_of !== null).length === 3);
  });
});
