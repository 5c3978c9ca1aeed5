import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { addSource, send, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

/** Longer than a message without a link is shown. */
const LONG_MS = 60_000;

describe('browser: short messages at the edge of the page', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  it('with a link stay, are reached by Tab from an open drawer, and go when closed or followed', async () => {
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Once more' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open(`/events/webhook/${source.id}/deliveries?delivery=${body.delivery_id}`, owner);
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    const message = page.getByRole('status').filter({ hasText: 'Reprocessed as' });
    const close = page.getByRole('button', { name: 'Close message' });
    const reprocess = async () => {
      await drawer.getByRole('button', { name: 'Reprocess', exact: true }).click();
      const asked = page.getByRole('dialog', { name: 'Reprocess this delivery?' });
      await asked.getByRole('button', { name: 'Reprocess' }).click();
      await asked.waitFor({ state: 'detached' });
    };
    await drawer.waitFor();
    await page.clock.install();
    await reprocess();
    await message.waitFor();
    await page.clock.runFor(LONG_MS);
    const isFocused = (selector: string) => page.locator(`${selector}:focus`).count();
    const first = '[role=dialog] header button';

    await page.locator(first).focus();
    await page.keyboard.press('Shift+Tab');
    expect(await isFocused('[data-toasts] button'), 'before the first field').to.equal(1);
    await page.keyboard.press('Shift+Tab');
    expect(await isFocused('[data-toasts] a'), 'the link in the message').to.equal(1);
    await page.keyboard.press('Shift+Tab');
    expect(await isFocused('[role=dialog] *'), 'the last field').to.equal(1);
    expect(await isFocused(first), 'the first field').to.equal(0);
    await page.keyboard.press('Tab');
    expect(await isFocused('[data-toasts] a'), 'after the last field').to.equal(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await isFocused(first), 'after the messages').to.equal(1);

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await message.waitFor({ state: 'detached' });
    expect(await isFocused('[role=dialog] *'), 'after the message is closed').to.equal(1);
    await reprocess();
    await message.getByRole('link').click();
    await page.waitForURL((url) => !url.href.includes(body.delivery_id as string));
    await close.waitFor({ state: 'detached' });
  });

  it('without a link go after seconds, or when they are closed', async () => {
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
