import type { EventPage } from '@sluice/dashboard-api/events';
import type { LeadPage } from '@sluice/dashboard-api/leads';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startFeedServer } from '../support/feed-server.ts';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { hold } from './support/held.ts';
import { choose } from './support/import-files.ts';
import { addSource, callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

const CHECK = ROUTES.leads.checkImport;
const FEED = ROUTES.events.readFeed;

function chooseLeads(page: Page, name: string, content: string): Promise<void> {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
  return page.getByLabel('CSV file').setInputFiles(file);
}

/** Drops two files of leads one after the other. The content of the first is read only once `readSlowFile()` is called. */
const DROP_TWO = `(() => {
  const read = File.prototype.arrayBuffer;
  File.prototype.arrayBuffer = function () {
    if (this.name !== 'slow.csv') return read.call(this);
    return new Promise((resolve) => {
      window.readSlowFile = () => resolve(read.call(this));
    });
  };
  for (const [name, text] of [['slow.csv', 'name\\nSlow\\nSlower'], ['quick.csv', 'name\\nQuick']]) {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name, { type: 'text/csv' }));
    const area = document.querySelector('input[type=file]').closest('label');
    area.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }
})()`;

describe('browser: another file while one is read or checked', () => {
  const at = useBrowser();
  let admin: Person;
  before(async () => {
    admin = await at.stack.addPerson('admin');
  });

  it('shows and imports nothing of a check whose file was replaced', async () => {
    const page = await at.open('/leads/import', admin);
    const check = page.getByRole('button', { name: 'Check the file' });
    await chooseLeads(page, 'first.csv', 'name,email\r\nFirst,first@example.com\r\nBad,not an address');
    await page.getByRole('heading', { name: 'first.csv: 2 rows' }).waitFor();
    const held = await hold(page, CHECK.path, CHECK.method);
    await check.click();
    await held.asked;
    await chooseLeads(
      page,
      'second.csv',
      'name,email\r\nSecond,second@example.com\r\nThird,third@example.com',
    );
    await page.getByRole('heading', { name: 'second.csv: 2 rows' }).waitFor();
    await held.release();
    // Its check is another one, of this file.
    await check.click();
    await page.getByText('2 new, 0 update, 0 without a change, 0 bad').waitFor();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('2 created, 0 updated, 0 without a change, of 2 rows.').waitFor();
    const { items } = await callAs<LeadPage>(at.stack, admin, 'GET', '/leads');
    expect(items.map(({ name }) => name)).to.have.members(['Second', 'Third']);
  });

  it('shows the file that was chosen last, if an earlier one is read later', async () => {
    const page = await at.open('/leads/import', admin);
    await page.getByText('Choose a CSV file').waitFor();
    await page.evaluate(DROP_TWO);
    await page.getByRole('heading', { name: 'quick.csv: 1 row' }).waitFor();
    await page.evaluate('window.readSlowFile()');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1 new, 0 update').waitFor();
    expect(await page.getByRole('heading', { name: /slow\.csv/ }).count()).to.equal(0);
  });

  it('a feed that arrives late neither replaces the file that was chosen meanwhile nor is shown by the next import', async () => {
    const source = await addSource(at.stack, admin);
    const feed = await startFeedServer();
    try {
      const page = await at.open('/events/import', admin);
      const importFile = async (name: string, title: string) => {
        await page.getByRole('button', { name: 'Check the file' }).click();
        await page.getByText('1 new').waitFor();
        expect(await page.getByRole('heading', { name: `${name}: 1 ` }).count(), name).to.equal(1);
        await page.getByRole('button', { name: /^Import 1 / }).click();
        await page.getByText('Accepted 1 of 1').waitFor();
        const path = `/events?source_id=${source.id}`;
        const find = async () => (await callAs<EventPage>(at.stack, admin, 'GET', path)).items;
        await until(async () => (await find()).some((event) => event.title === title), { what: title });
      };
      await page.getByLabel('Source').selectOption({ label: source.name });
      // A calendar, so that the reader of calendars is loaded before the feed arrives.
      const calendar = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:First\r\nDTSTART:20300501T100000Z';
      await choose(page, `${calendar}\r\nEND:VEVENT\r\nEND:VCALENDAR`, 'first.ics');
      await page.getByRole('heading', { name: 'first.ics: 1 event' }).waitFor();
      const held = await hold(page, FEED.path, FEED.method);
      await page.getByLabel('Or an iCalendar feed URL').fill(`http://127.0.0.1:${feed.port}/calendar.ics`);
      await page.getByRole('button', { name: 'Read the feed' }).click();
      await held.asked;
      await importFile('first.ics', 'First');
      await page.getByRole('button', { name: 'Import another file' }).click();
      await choose(page, 'title,starts_at\r\nNext,2030-04-01T10:00:00Z', 'next.csv');
      await page.getByRole('heading', { name: 'next.csv: 1 row' }).waitFor();
      await held.release();
      await importFile('next.csv', 'Next');
    } finally {
      await feed.close();
    }
  });
});
