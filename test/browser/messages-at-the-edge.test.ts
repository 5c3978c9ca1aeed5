import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { addSource, send, untilLogged } from './support/source.ts';

/** Longer than a message without a link is shown. */
const LONG_MS = 60_000;

describe('browser: short messages at the edge of the page', () => {
  const at = useBrowser();

  it('with a link stay until they are closed or the link is followed', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Read slowly' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open(`/events/webhook/${source.id}/deliveries?delivery=${body.delivery_id}`, owner);
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    const message = page.getByRole('status').filter({ hasText: 'Reprocessed as' });
    const close = page.getByRole('button', { name: 'Close message' });
    const reprocess = async () => {
      await drawer.getByRole('button', { name: 'Reprocess' }).click();
      const asked = page.getByRole('dialog', { name: 'Reprocess this delivery?' });
      await asked.getByRole('button', { name: 'Reprocess' }).click();
      await asked.waitFor({ state: 'detached' });
    };
    await drawer.waitFor();
    await page.clock.install();
    await reprocess();
    await message.waitFor();
    await page.clock.runFor(LONG_MS);
    await close.click();
    await message.waitFor({ state: 'detached' });
    await reprocess();
    await message.getByRole('link').click();
    await page.waitForURL((url) => !url.href.includes(body.delivery_id as string));
    await close.waitFor({ state: 'detached' });
  });

  it('without a link go after seconds, or when they are closed', async () => {
    const owner = await at.stack.addPerson('owner');
    const lead = await addLead(at.stack, owner, { name: 'Ada' });
    const page = await at.open(`/leads?lead=${lead.id}`, owner);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.waitFor();
    await page.clock.install();
    const message = page.getByText('Lead saved.');
    for (const company of ['One', 'Two']) {
      await drawer.getByLabel('Company').fill(company);
      await drawer.getByRole('button', { name: 'Save changes' }).click();
      await message.waitFor();
      if (company === 'One') await page.clock.runFor(LONG_MS);
      else await page.getByRole('button', { name: 'Close message' }).click();
      await message.waitFor({ state: 'detached' });
      expect(await page.getByRole('button', { name: 'Close message' }).count(), company).to.equal(0);
    }
  });
});
