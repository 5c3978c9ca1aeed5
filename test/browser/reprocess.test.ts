import { DAY_MS } from '@sluice/contract/time/durations';
import type { DeliveryPage } from '@sluice/dashboard-api/deliveries';
import { REPROCESS_LIMIT } from '@sluice/dashboard-api/limits';
import { expect } from 'chai';
import { delivery } from '../store/support.ts';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: reprocessing', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  it('reprocesses one delivery after a confirmation, and links the new row to the old one, also if the worker is late', async () => {
    const source = await addSource(at.stack, owner);
    await send(source, { title: 'Again please' });
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByRole('row', { name: /Again please/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    const { pid } = at.stack.worker;
    process.kill(pid, 'SIGSTOP');
    try {
      await drawer.getByRole('button', { name: 'Reprocess' }).click();
      const asked = page.getByRole('dialog', { name: 'Reprocess this delivery?' });
      await asked.getByRole('button', { name: 'Reprocess' }).click();
      await page.getByText('Reprocessed as').first().waitFor();
      expect(await drawer.getByText('Reprocessed as').count()).to.equal(0);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await page.getByRole('row', { name: /Again please.*reprocessed/, includeHidden: true }).waitFor();
    await drawer.getByText('Reprocessed as').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: /Again please.*reprocessed/ }).click();
    await drawer.getByText('Reprocessed from').waitFor();
  });

  it('asks for narrower filters if too many deliveries match, and offers the last 24 h', async () => {
    const source = await addSource(at.stack, owner);
    const many = REPROCESS_LIMIT + 1;
    await at.stack.insertDeliveries(
      Array.from({ length: many }, (_, index) => ({
        ...keptDelivery(index, at.stack.accountId, source.id),
        ...(index === REPROCESS_LIMIT && { received_at: Date.now() - 2 * DAY_MS }),
      })),
    );
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page
      .getByRole('row', { name: /Kept 0/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Reprocess all matching…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reprocess all matching deliveries?' });
    await dialog.getByText('1,001 of them can be reprocessed').waitFor();
    await dialog.getByText('At most 1,000 can be reprocessed at once').waitFor();
    expect(await dialog.getByRole('button', { name: /^Reprocess/ }).count()).to.equal(0);
    expect(await dialog.getByRole('button', { name: 'Cancel' }).count(), 'a second way').to.equal(0);
    await dialog.getByRole('button', { name: 'Last 24 h only' }).click();
    await dialog.getByRole('button', { name: 'Reprocess 1,000' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('reprocesses all matching deliveries after showing their number, except rejected ones', async () => {
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
    await page.getByText('Reprocessed 3 of 3 deliveries.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await until(async () => (await list()).items.filter((item) => item.reprocess_of !== null).length === 3);
  });

  it('offers to reprocess what was rejected while the source was off, and skips it the next time', async () => {
    const source = await addSource(at.stack, owner);
    const setActive = (active: boolean) =>
      callAs(at.stack, owner, 'PUT', `/sources/${source.id}/active`, { active });
    const list = () => callAs<DeliveryPage>(at.stack, owner, 'GET', `/deliveries?source_id=${source.id}`);
    await setActive(false);
    for (const title of ['Missed 1', 'Missed 2'])
      expect((await send(source, { title })).status).to.equal(403);
    await until(async () => (await list()).items.length === 2);
    const page = await at.open(`/events/webhook/${source.id}/settings`, owner);
    const turnOn = async () => {
      await page.getByRole('switch', { name: /is inactive/ }).press('Space');
      await page.getByRole('button', { name: 'Switch on' }).click();
    };
    await turnOn();
    const dialog = page.getByRole('dialog', { name: 'Reprocess what was rejected meanwhile?' });
    await dialog.getByRole('button', { name: 'Reprocess 2' }).click();
    await page.getByText('Reprocessed 2 of 2 deliveries.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await until(async () => (await list()).items.filter(({ outcome }) => outcome === 'created').length === 2);
    await setActive(false);
    expect((await send(source, { title: 'Missed 3' })).status).to.equal(403);
    await until(async () => (await list()).items.length === 5);
    await page.reload();
    await turnOn();
    await dialog.getByRole('button', { name: 'Reprocess 1' }).waitFor();
  });
});

function keptDelivery(index: number, account_id: string, source_id: string) {
  const event = { title: `Kept ${index}`, starts_at: '2027-03-01T10:00:00Z' };
  const body = JSON.stringify({ action: 'upsert', event });
  return delivery({
    account_id,
    source_id,
    delivery_id: `dlv_kept${index}${source_id}`,
    received_at: Date.now() - index,
    title: event.title,
    event_id: null,
    request: {
      content_type: 'application/json',
      user_agent: '',
      timestamp: '1795250000',
      signature_start: 'sha256=01234567',
      bytes: body.length,
      body,
    },
  });
}
