import type { Delivery } from '@sluice/contract/delivery/delivery';
import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addSource, send, type TestSource, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

const BURST = 312;

describe('browser: bursts of 429 in Recent Deliveries', () => {
  const at = useBrowser();

  it('folds a burst into one row with a count, which the keyboard opens and folds again', async () => {
    const { owner, source } = await setUp();
    await at.stack.insertDeliveries(burst(source, BURST));
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    const folded = page.getByRole('row', { name: /429 rate limited ×312/ });
    await folded.waitFor();
    await page.getByRole('row', { name: /Before the burst/ }).waitFor();
    expect(await page.getByRole('row').count(), 'the head, the burst, the delivery before it').to.equal(3);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('[data-row="dlv_burst0000"]').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('dlv_burst0001').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-row="dlv_burst0001"]:focus').waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.locator('[data-row="dlv_burst0000"]').waitFor({ state: 'detached' });
    await page.locator('[role="row"]:focus', { hasText: 'Show rows' }).waitFor();
    expect(await page.getByRole('row').count(), 'folded again').to.equal(3);
  });

  it('loads more of a very long burst on request only', async () => {
    const { owner, source } = await setUp();
    await at.stack.insertDeliveries(burst(source, 1150, 'long'));
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByRole('row', { name: /429 rate limited ×1,000/ }).waitFor();
    for (const count of ['1,100', '1,150']) {
      await page.getByRole('button', { name: 'Load older deliveries' }).click();
      await page.getByRole('row', { name: new RegExp(`429 rate limited ×${count}`) }).waitFor();
    }
    await page.getByRole('row', { name: /Before the burst/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Load older deliveries' }).count()).to.equal(0);
  });

  it('shows the size of a delivery in the list, and its retention in the drawer', async () => {
    const { owner, source } = await setUp();
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    const row = page.getByRole('row', { name: /Before the burst/ });
    await row.getByRole('cell', { name: /^\d+ B$/ }).waitFor();
    await row.click();
    await page.getByText(/30 days, until \d+ \w+ \d{4}/).waitFor();
  });

  async function setUp(): Promise<{ owner: Person; source: TestSource }> {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Before the burst' });
    await untilLogged(at.stack, owner, body.delivery_id);
    return { owner, source };
  }

  /** Returns rows newest first, all later than the delivery before the burst. */
  function burst(source: TestSource, length: number, name = 'burst'): Delivery[] {
    const newest = Date.now() + 60_000;
    return Array.from({ length }, (_, index) => ({
      delivery_id: `dlv_${name}${String(index).padStart(4, '0')}`,
      source_id: source.id,
      account_id: at.stack.accountId,
      received_at: newest - index,
      action: null,
      title: null,
      http_status: 429,
      outcome: 'rejected',
      code: 'rate_limited',
      request_id: `req_${index}`,
      sequence: null,
      event_id: null,
      duplicate_of: null,
      reason: 'Over the rate.',
      count: 1,
    }));
  }
});
