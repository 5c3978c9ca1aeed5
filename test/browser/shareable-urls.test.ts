import { readFile } from 'node:fs/promises';
import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import type { WebhookItem, WebhookWithSecret } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { delivery } from '../store/support.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { addSource, callAs, send, type TestSource, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

const isFocused = (row: Locator) =>
  row.evaluate((element) => element === element.ownerDocument.activeElement);

describe('browser: shareable URLs', () => {
  const at = useBrowser();
  let owner: Person;
  let source: TestSource;
  let pathOf: (query: string) => string;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    source = await addSource(at.stack, owner);
    pathOf = (query) => `/events/webhook/${source.id}/deliveries${query}`;
    let last = '';
    for (const title of ['Jazz night', '=1+1 jazz', 'Open day', 'Night of museums'])
      last = (await send(source, { title })).body.delivery_id;
    await untilLogged(at.stack, owner, last);
  });

  it('keep filters after a reload and in another tab; Back closes the drawer and returns the focus to the row', async () => {
    const page = await at.open(pathOf(''), owner);
    const row = page.getByRole('row', { name: /Jazz night/ });
    await row.waitFor();
    await page.getByLabel('Search in titles').fill('jazz night');
    await page.getByLabel('Action', { exact: true }).selectOption('upsert');
    await page.getByRole('row', { name: /Open day/ }).waitFor({ state: 'detached' });
    await page.waitForURL(/title=jazz/);
    const address = page.url();
    expect(address).to.contain('action=upsert');
    const pasted = await at.open(address.slice(at.stack.url.length), owner);
    await page.reload();
    for (const tab of [page, pasted]) {
      await tab.getByRole('row', { name: /Jazz night/ }).waitFor();
      expect(await tab.getByRole('row').count()).to.equal(2);
    }
    await page.getByRole('button', { name: 'Remove filter: upsert' }).waitFor();

    await row.click();
    await page.getByRole('dialog').getByText('Delivery id').waitFor();
    const opened = page.url();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).to.equal(address);
    expect(await isFocused(row), 'focus').to.equal(true);

    await page.goto(opened);
    await page.getByRole('dialog').getByText('Delivery id').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('row', { name: /Open day/ }).waitFor();
  });

  it('show a range from a chart as a custom range, and another choice replaces both ends', async () => {
    const page = await at.open(pathOf('?from=2026-01-01T00:00:00.000Z&to=2026-01-02T00:00:00.000Z'), owner);
    await page.getByText('No matching deliveries').waitFor();
    const time = page.getByLabel('Time', { exact: true });
    expect(await time.locator('option:checked').textContent()).to.equal('Custom range');
    await time.selectOption('Last 7 days');
    await page.getByRole('row', { name: /Open day/ }).waitFor();
    expect(await time.inputValue()).to.equal('168');
    expect(await page.getByRole('button', { name: /^Remove filter: until/ }).count()).to.equal(0);
  });

  it('lead to the day and time of older rows, on a phone too', async () => {
    const received_at = Date.now() - 4 * 86_400_000;
    const ids = { source_id: source.id, account_id: at.stack.accountId };
    await at.stack.insertDeliveries([
      delivery({ ...ids, delivery_id: `dlv_old${source.id}`, received_at, title: 'Of old' }),
    ]);
    const page = await at.open(pathOf('?title=old'), owner);
    const shown = page.getByRole('row', { name: /Of old/ });
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const time = await shown.getByText(/^\d+ \w+, \d\d:\d\d$/).boundingBox();
      const action = await shown.getByRole('cell', { name: 'upsert' }).evaluate((cell) => {
        // Measures the text, without the space before it.
        const text = cell.ownerDocument.createRange();
        text.selectNodeContents(cell);
        return text.getBoundingClientRect().x;
      });
      expect((time?.x ?? 0) + (time?.width ?? 0), `${width} px: beside the action`).to.be.at.most(action);
    }
  });

  it('of an event: Back closes it, keeps the search of the list, and returns the focus to the row', async () => {
    const page = await at.open('/', owner);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByLabel('Search in title and location').fill('museums');
    await page.waitForURL(/q=museums/);
    const address = page.url();
    const row = page.getByRole('row', { name: /Night of museums/ });
    const drawer = page.getByRole('dialog', { name: 'Event' });
    for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await row.click();
      await drawer.getByText('Deliveries of this event').waitFor();
      await close();
      await drawer.waitFor({ state: 'detached' });
      expect(page.url()).to.equal(address);
      expect(await isFocused(row), 'focus').to.equal(true);
    }
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('of a row open it in another tab by Ctrl and a click, and selecting a text of the row opens nothing', async () => {
    await addLead(at.stack, owner, { name: 'Selected', email: 'selected@example.com' });
    const page = await at.open('/', owner);
    for (const [path, title, text] of [
      ['/leads', 'Selected', 'selected@'],
      ['/events?when=all', 'Open day', 'Booking'],
      [pathOf('?title=open'), 'Open day', 'upsert'],
    ] as const) {
      await page.goto(at.stack.url + path);
      const row = page.getByRole('row', { name: new RegExp(title) });
      const { x = 0, y = 0, width = 0, height = 0 } = (await row.getByText(text).first().boundingBox()) ?? {};
      await page.mouse.move(x + 1, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width - 2, y + height / 2, { steps: 4 });
      await page.mouse.up();
      expect(await page.evaluate('String(getSelection())'), path).to.not.equal('');
      const [tab] = await Promise.all([
        page.context().waitForEvent('page'),
        row.getByRole('link', { name: title }).click({ modifiers: ['Control'] }),
      ]);
      await tab.getByRole('dialog').getByText(title).first().waitFor();
      await tab.close();
      expect(await page.getByRole('dialog').count(), path).to.equal(0);
      await row.getByRole('link', { name: title }).click();
      await page.getByRole('dialog').waitFor();
    }
  });

  it('of one filter are gone back to from the next one', async () => {
    const page = await at.open('/', owner);
    await page.goto(at.stack.url + pathOf(''));
    await page.getByLabel('Action', { exact: true }).selectOption('upsert');
    await page.waitForURL(/action=upsert/);
    await page.getByLabel('Outcome', { exact: true }).selectOption('created');
    await page.waitForURL(/outcome=created/);
    await page.goBack();
    await page.waitForURL((url) => url.search === '?action=upsert');
    expect(await page.getByLabel('Outcome', { exact: true }).inputValue()).to.equal('');
    await page.goto(`${at.stack.url}/settings/audit-log`);
    await page.getByLabel('Action', { exact: true }).selectOption({ index: 1 });
    await page.waitForURL(/action=/);
    await page.goBack();
    await page.waitForURL((url) => url.search === '');
  });

  it('of a drawer without an id show the list', async () => {
    const page = await at.open('/leads?lead=', owner);
    await page.getByRole('button', { name: 'New lead' }).waitFor();
    await page.goto(`${at.stack.url}/events?event=`);
    await page.getByRole('row').first().waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('export the list with its filters as a file', async () => {
    const page = await at.open(pathOf('?title=jazz'), owner);
    await page.getByRole('row', { name: /Jazz night/ }).waitFor();
    const saved = async (format: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: `Export as ${format}` }).click(),
      ]);
      expect(download.suggestedFilename()).to.match(new RegExp(`^deliveries-.*\\.${format.toLowerCase()}$`));
      return await readFile(await download.path(), 'utf8');
    };
    const csv = await saved('CSV');
    expect(csv.trimEnd().split('\r\n')).to.have.length(3);
    expect(csv).to.contain(`,'=1+1 jazz,`);
    const lines = (await saved('NDJSON')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).title)).to.deep.equal(['=1+1 jazz', 'Jazz night']);
  });

  it('name a filter for something that was deleted, and it can be removed', async () => {
    await callAs<ChannelCreated>(at.stack, owner, 'POST', '/channels', { name: 'Chat' });
    const page = await at.open('/', owner);
    for (const [path, label, gone, all] of [
      ['/leads?stage=stg_gone', 'Stage', 'Deleted stage', 'Any stage'],
      ['/conversations?channel=chn_gone', 'Channel', 'Deleted channel', 'Any channel'],
    ] as const) {
      await page.goto(at.stack.url + path);
      const select = page.getByLabel(label, { exact: true });
      await select.getByRole('option', { name: gone, selected: true }).waitFor({ state: 'attached' });
      await select.selectOption({ label: all });
      await page.waitForURL((url) => url.search === '');
    }
    const deleted = await addSource(at.stack, owner);
    const { webhook } = await callAs<WebhookWithSecret>(at.stack, owner, 'POST', '/webhooks', {
      target_url: 'http://127.0.0.1:8443/hooks',
      events: ['event.created'],
      name: 'CRM',
      filter: { source_id: deleted.id },
    });
    await callAs(at.stack, owner, 'POST', `/sources/${deleted.id}/delete`, { events: 'keep' });
    await page.goto(`${at.stack.url}/settings/webhooks/${webhook.id}/settings`);
    const select = page.getByLabel('Events of');
    await select
      .getByRole('option', { name: 'Deleted source', selected: true })
      .waitFor({ state: 'attached' });
    await select.selectOption({ label: 'All sources' });
    await page.getByRole('button', { name: 'Save subscription' }).click();
    await page.getByText('Subscription saved.').waitFor();
    const stored = await callAs<WebhookItem>(at.stack, owner, 'GET', `/webhooks/${webhook.id}`);
    expect(stored.filter.source_id ?? null).to.equal(null);
  });
});
