import { readFile } from 'node:fs/promises';
import type { EventPage } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { FEED, startFeedServer } from '../support/feed-server.ts';
import { until } from '../support/until.ts';
import { serious } from './support/axe.ts';
import { type Look, useBrowser } from './support/browser.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';

const HEAD = 'Event name,Begin,Where,Cost';
const FILE = [
  HEAD,
  'Spring fair,2030-04-01T10:00:00+02:00,Berlin,Free',
  'Known one,2030-05-01T10:00:00Z,,12 €',
  '',
  '"=HYPERLINK(""http://example.com"")",30 February,Berlin;=1+1,',
].join('\r\n');

function choose(page: Page, content: string | Buffer, name = 'spring.csv'): Promise<void> {
  const mimeType = name.endsWith('.csv') ? 'text/csv' : 'text/calendar';
  const file = { name, mimeType, buffer: Buffer.from(content as string) };
  return page.getByLabel('CSV or iCalendar file').setInputFiles(file);
}

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'SUMMARY:Spring fair',
  'DTSTART;TZID=Europe/Berlin:20300401T100000',
  'LOCATION:Main hall\\, Berlin',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,TU',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'SUMMARY:Known one',
  'DTSTART:20300501T100000Z',
  'STATUS:CANCELLED',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'SUMMARY:Bad day',
  'DTSTART;VALUE=DATE:20300230',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'SUMMARY:Bad address',
  'DTSTART;VALUE=DATE:20300601',
  'URL:message:1',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'SUMMARY:Holiday',
  'DTSTART;VALUE=DATE:20300701',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

describe('browser: importing events', () => {
  const at = useBrowser();

  it('columns are guessed and can be changed; a dry run says what would happen; then rows become events', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const known = { title: 'Known one', starts_at: '2030-05-01T10:00:00Z', location: '' };
    const { body } = await send(source, known);
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open('/events/import', owner);
    await choose(page, FILE);
    await page.getByRole('heading', { name: 'spring.csv: 3 rows' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).to.equal('0');
    expect(await page.getByLabel('Location').inputValue()).to.equal('2');
    await page.getByLabel('Price').selectOption('');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1 new, 1 update, 1 bad').waitFor();
    const bad = page.getByRole('row', { name: /5 Begin "30 February" is not an ISO 8601/ });
    await bad.waitFor();
    // Another mapping makes what was found out void.
    await page.getByLabel('Price').selectOption('3');
    await page.getByText('1 new, 1 update, 1 bad').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check the file' }).click();
    await bad.waitFor();

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download bad rows' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).to.equal('bad-rows-of-spring.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).to.equal(`\uFEFF${HEAD},row,what is wrong`);
    expect(lines[1], 'a formula is text').to.match(/^"'=HYPERLINK\(/);
    expect(lines[1], 'where semicolons separate cells too').to.contain(`,"Berlin;'=1+1",`);
    expect(lines).to.have.length(2);

    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Accepted 2 of 2 rows.').waitFor();
    const find = () => callAs<EventPage>(at.stack, owner, 'GET', '/events?origin=csv');
    await until(async () => (await find()).items.length === 2);
    await page.getByRole('link', { name: 'Show imported events' }).click();
    await page.getByRole('row', { name: /Spring fair.*2030-04-01 08:00 UTC.*Berlin.*CSV/ }).waitFor();
    await page.getByRole('row', { name: /Known one.*CSV/ }).waitFor();
    expect((await find()).items.map(({ price }) => price)).to.have.members(['Free', '12 €']);
  });

  it('a calendar goes the same way: zone chosen, dry run with line and property of what is bad, events', async () => {
    const admin = await at.stack.addPerson('admin');
    const source = await addSource(at.stack, admin);
    const known = { title: 'Known one', starts_at: '2030-05-01T10:00:00Z', location: '' };
    const { body } = await send(source, known);
    await untilLogged(at.stack, admin, body.delivery_id);
    const page = await at.open('/events/import', admin);
    await page.getByLabel('Source').selectOption(source.id);
    await choose(page, CALENDAR, 'spring.ics');
    await page.getByRole('heading', { name: 'spring.ics: 5 events' }).waitFor();
    await page.getByText('Event 1: the recurrence is simplified to').waitFor();
    const zone = page.getByLabel('Default time zone');
    expect(await zone.inputValue()).to.equal('UTC');
    await zone.selectOption('America/New_York');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('2 new, 0 update, 1 cancel, 2 bad').waitFor();
    await page.getByRole('row', { name: /3 line 15 DTSTART .*"20300230" is no date/ }).waitFor();
    await page.getByRole('row', { name: /4 line 20 URL / }).waitFor();
    await page.getByRole('button', { name: 'Import 3 events' }).click();
    await page.getByText('Accepted 3 of 3 events.').waitFor();
    const find = () => callAs<EventPage>(at.stack, admin, 'GET', `/events?source_id=${source.id}`);
    const cancelled = async () => (await find()).items.some(({ status }) => status === 'cancelled');
    await until(async () => (await find()).items.length === 3 && (await cancelled()));
    const titles = (await find()).items.map(({ title, starts_at }) => `${starts_at} ${title}`);
    expect(titles).to.deep.equal([
      '2030-04-01T08:00:00.000Z Spring fair',
      '2030-05-01T10:00:00.000Z Known one',
      '2030-07-01T04:00:00.000Z Holiday',
    ]);
    await page.getByRole('link', { name: 'Show imported events' }).click();
    await page.getByRole('row', { name: /Spring fair.*Main hall, Berlin.*weekly.*iCalendar/ }).waitFor();

    await page.goto(`${at.stack.url}/events/webhook/${source.id}/deliveries?title=Holiday`);
    await page.getByRole('row', { name: /Holiday/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByText('an import of an iCalendar file or feed').waitFor();
    await drawer.getByText('Created in the dashboard; there is no request to replay.').waitFor();
    const tabs = await drawer.getByRole('tab').allTextContents();
    expect(tabs, 'without a request there is no response').to.deep.equal(['Timeline']);
  });

  it('a feed is fetched by its address, checked and imported as a file is; what is no feed is refused', async () => {
    const feed = await startFeedServer((request, response) =>
      response.end(request.url === '/calendar.ics' ? FEED : '<html>'),
    );
    const admin = await at.stack.addPerson('admin');
    const source = await addSource(at.stack, admin);
    const page = await at.open('/events/import', admin);
    await page.getByLabel('Source').selectOption(source.id);
    const address = page.getByLabel('Or an iCalendar feed URL');
    const read = page.getByRole('button', { name: 'Read the feed' });
    await address.fill('http://169.254.169.254/latest/meta-data');
    await read.click();
    await page.getByText('from which feeds are not fetched').waitFor();
    expect(await serious(page)).to.deep.equal([]);
    await address.fill(`http://127.0.0.1:${feed.port}/`);
    await read.click();
    await page.getByText('does not answer with an iCalendar feed').waitFor();
    await address.fill(`http://127.0.0.1:${feed.port}/calendar.ics`);
    await read.click();
    await page.getByRole('heading', { name: `127.0.0.1:${feed.port}: 1 event` }).waitFor();
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('button', { name: 'Import 1 event' }).click();
    await page.getByText('Accepted 1 of 1 event.').waitFor();
    const found = () => callAs<EventPage>(at.stack, admin, 'GET', `/events?source_id=${source.id}`);
    await until(async () => (await found()).items[0]?.title === 'From the feed');
    await feed.close();
  });

  it('a file that cannot be read is refused with what to do about it', async () => {
    const admin = await at.stack.addPerson('admin');
    await addSource(at.stack, admin);
    const page = await at.open('/events/import', admin);
    await choose(page, Buffer.from('title,starts_at\nM\xfcnchen,2030-01-01T10:00Z', 'latin1'));
    await page.getByText('The file is not UTF-8').waitFor();
    await choose(page, 'title,starts_at\n"Open day,2030-01-01T10:00Z');
    await page.getByText('Row 2 has a quote that is not closed').waitFor();
    await choose(page, 'title,starts_at\n');
    await page.getByText('The file has no rows').waitFor();
    await choose(page, `title,starts_at\n${'x\n'.repeat(10_001)}`);
    await page.getByText('at most 10,000 are imported at once').waitFor();
    await choose(page, 'BEGIN:VCALENDAR\nEND:VCALENDAR', 'empty.ics');
    await page.getByText('The calendar has no events').waitFor();
    await choose(page, 'hello', 'none.ics');
    await page.getByText('no line BEGIN:VCALENDAR').waitFor();
    await choose(page, 'a,b\n1,2\n');
    await page.getByRole('heading', { name: 'spring.csv: 1 row' }).waitFor();
    expect(await page.getByRole('button', { name: 'Check the file' }).isDisabled()).to.equal(true);
  });

  it('a part that failed is sent again by Retry, and nothing of it is lost or done twice', async () => {
    const admin = await at.stack.addPerson('admin');
    const source = await addSource(at.stack, admin);
    const page = await at.open('/events/import', admin);
    await page.getByLabel('Source').selectOption(source.id);
    const rows = Array.from({ length: 1500 }, (_, index) => `Retried ${index},2031-01-01T10:00Z`);
    await choose(page, ['title,starts_at', ...rows].join('\n'), 'big.csv');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1,500 new, 0 update, 0 bad').waitFor();
    let calls = 0;
    // The second part is taken, but its answer is lost.
    await page.route('**/events/import', async (route) => {
      calls += 1;
      if (calls !== 2) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Import 1,500 rows' }).click();
    await page.getByText('The server cannot be reached').waitFor();
    await page.getByText('So far 1,000 of 1,500 rows.').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Accepted 1,500 of 1,500 rows.').waitFor();
    const count = (outcome: string) =>
      callAs<{ matching: number }>(
        at.stack,
        admin,
        'GET',
        `/deliveries/count?source_id=${source.id}&outcome=${outcome}`,
      );
    await until(async () => (await count('created')).matching === 1500, { what: 'every row is an event' });
    await until(async () => (await count('duplicate')).matching === 500, {
      what: 'the repetition is logged',
    });
  });

  it('the last import can be undone, after a dialog that says what that does', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const known = { title: 'Known one', starts_at: '2030-05-01T10:00:00Z', location: '', price: 'old' };
    const { body } = await send(source, known);
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open('/events/import', owner);
    await page.getByLabel('Source').selectOption(source.id);
    const rows = ['Known one', 'Fresh', 'Touched'].map((title) => `${title},2030-05-01T10:00Z,new`);
    await choose(page, ['title,starts_at,price', ...rows].join('\n'), 'undo-me.csv');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('Accepted 3 of 3 rows.').waitFor();
    const find = async () => {
      const { items } = await callAs<EventPage>(at.stack, owner, 'GET', `/events?source_id=${source.id}`);
      return items.map(({ title, price }) => `${title} ${price}`).sort();
    };
    await until(async () => (await find()).join() === 'Fresh new,Known one new,Touched new');
    const touched = await send(source, { ...known, title: 'Touched', price: 'newer' });
    await untilLogged(at.stack, owner, touched.body.delivery_id);

    await page.getByText('undo-me.csv into').waitFor();
    await page.getByRole('button', { name: 'Undo this import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo the import of “undo-me.csv”?' });
    await dialog.getByText('1 event created by the import is deleted.').waitFor();
    await dialog.getByText('1 event changed by the import gets its previous content back.').waitFor();
    await dialog.getByText('1 event has changed since the import and is skipped:').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'Touched' }).waitFor();
    expect(await serious(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Undo import' }).click();
    await page.getByText('Undone: 1 deleted, 1 restored').waitFor();
    await until(async () => (await find()).join() === 'Known one old,Touched newer');
    await page.getByText(/^undone /).waitFor();
    expect(await page.getByRole('button', { name: 'Undo this import' }).count()).to.equal(0);
  });

  it('a viewer is told who can', async () => {
    const viewer = await at.stack.addPerson('viewer');
    const page = await at.open('/events/import', viewer);
    await page.getByText('Only owners and admins can import').waitFor();
  });

  const looks: Look[] = [
    { width: 360, scheme: 'light' },
    { width: 360, scheme: 'dark' },
  ];
  for (const look of looks) {
    it(`axe finds nothing serious in any step, and none overflows: ${look.scheme}, ${look.width} px`, async () => {
      const admin = await at.stack.addPerson('admin');
      await addSource(at.stack, admin);
      const page = await at.open('/events/import', admin, look);
      const fits = async (step: string) => {
        expect(await serious(page), step).to.deep.equal([]);
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(over, step).to.be.at.most(0);
      };
      await choose(page, FILE);
      await page.getByRole('button', { name: 'Check the file' }).waitFor();
      await fits('mapping');
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByText(/ bad\. Nothing has been changed yet/).waitFor();
      await fits('checked');
      await page.getByRole('button', { name: /^Import \d rows?$/ }).click();
      await page.getByText('Accepted 2 of 2 rows.').waitFor();
      await fits('imported');
      await page.getByRole('button', { name: 'Import another file' }).click();
      await choose(page, CALENDAR, 'spring.ics');
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByText(/ bad\. Nothing has been changed yet/).waitFor();
      await fits('calendar checked');
    });
  }
});
