import { readFile } from 'node:fs/promises';
import type { EventPage } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { FEED, startFeedServer } from '../support/feed-server.ts';
import { until } from '../support/until.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { CALENDAR, choose, FILE, HEAD } from './support/import-files.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

/** The browser has no other way to drop a folder in a test: its content cannot be read. */
const DROP_FOLDER = `{
  const folder = { name: 'spring', type: '', size: 4096, arrayBuffer: () => Promise.reject(new Error('a folder')) };
  const drop = new Event('drop', { bubbles: true, cancelable: true });
  Object.defineProperty(drop, 'dataTransfer', { value: { files: [folder] } });
  document.querySelector('input[type=file]').closest('label').dispatchEvent(drop);
}`;

describe('browser: importing events', () => {
  const at = useBrowser();
  let admin: Person;
  before(async () => {
    admin = await at.stack.addPerson('admin');
  });

  it('guesses the columns, shows a preview, imports the rows as events, and leads to them alone', async () => {
    const source = await addSource(at.stack, admin);
    const known = { title: 'Known one', starts_at: '2030-05-01T10:00:00Z', location: '' };
    const { body } = await send(source, known);
    await untilLogged(at.stack, admin, body.delivery_id);
    const other = { row: 2, event: { title: 'Of another import', starts_at: '2030-05-02T10:00:00Z' } };
    const before = {
      source_id: source.id,
      import_id: 'another-import',
      file_name: 'other.csv',
      rows: [other],
    };
    await callAs(at.stack, admin, 'POST', '/events/import', before);
    const page = await at.open('/events/import', admin);
    await choose(page, FILE);
    await page.getByRole('heading', { name: 'spring.csv: 3 rows' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).to.equal('0');
    expect(await page.getByLabel('Location').inputValue()).to.equal('2');
    await page.getByLabel('Price').selectOption('');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1 new, 0 update, 1 unchanged, 1 bad').waitFor();
    await page.getByRole('row', { name: /Spring fair 1 Apr 2030, 08:00/ }).waitFor();
    await page.getByLabel('Title').selectOption('');
    await page.getByText('Choose columns for Title.').waitFor();
    await page.getByText('No column chosen').first().waitFor();
    await page.getByLabel('Title').selectOption('0');
    await page.getByRole('button', { name: 'Check the file' }).click();
    const bad = page.getByRole('row', { name: /5 Begin "30 February" is not an ISO 8601/ });
    await bad.waitFor();
    // Another mapping discards the check.
    await page.getByLabel('Price').selectOption('3');
    await page.getByText('1 new, 0 update, 1 unchanged, 1 bad').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1 new, 1 update, 1 bad').waitFor();
    await bad.waitFor();
    await expectSound(page, 'checked');

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
    const find = () => callAs<EventPage>(at.stack, admin, 'GET', '/events?origin=csv');
    await until(async () => (await find()).items.length === 3);
    await page.getByRole('link', { name: 'Show imported events' }).click();
    await page.getByRole('row', { name: /Spring fair.*1 Apr 2030, 08:00.*UTC.*Berlin.*CSV/ }).waitFor();
    await page.getByRole('row', { name: /Known one.*CSV/ }).waitFor();
    expect(await page.getByText('Of another import').count()).to.equal(0);
    await page.getByLabel('Import', { exact: true }).selectOption('Any import');
    await page.getByText('Of another import').waitFor();
    expect((await find()).items.map(({ price }) => price)).to.have.members(['Free', '12 €', null]);
  });

  it('imports a calendar: asks for the time zone and lists errors by line and property', async () => {
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
    await page.getByText('3 new, 0 update, 1 cancel, 1 bad').waitFor();
    await page.getByRole('row', { name: /3 line 15 DTSTART .*"20300230" is not a valid date/ }).waitFor();
    const times = await page.getByRole('columnheader', { name: /^Time in / }).allTextContents();
    expect(times).to.include.members(['Time in America/New_York', 'Time in UTC']);
    expect(new Set(times).size, 'each zone once').to.equal(times.length);
    await page.getByText('1 event will be imported with a change').click();
    await page.getByText('Event 4: url').waitFor();
    await expectSound(page, 'calendar checked');
    await page.getByRole('row', { name: /Spring fair.*1 Apr 2030, 08:00/ }).waitFor();
    await page.getByRole('button', { name: 'Import 4 events' }).click();
    await page.getByText('Accepted 4 of 4 events.').waitFor();
    const find = () => callAs<EventPage>(at.stack, admin, 'GET', `/events?source_id=${source.id}`);
    const cancelled = async () => (await find()).items.some(({ status }) => status === 'cancelled');
    await until(async () => (await find()).items.length === 4 && (await cancelled()));
    const titles = (await find()).items.map(({ title, starts_at }) => `${starts_at} ${title}`);
    expect(titles).to.deep.equal([
      '2030-04-01T08:00:00.000Z Spring fair',
      '2030-05-01T10:00:00.000Z Known one',
      '2030-06-01T04:00:00.000Z Bad address',
      '2030-07-01T04:00:00.000Z Holiday',
    ]);
    await page.getByRole('link', { name: 'Show imported events' }).click();
    await page.getByRole('row', { name: /Spring fair.*Main hall, Berlin.*weekly.*iCalendar/ }).waitFor();

    await page.goto(`${at.stack.url}/events/webhook/${source.id}/deliveries?title=Holiday`);
    await page.getByRole('row', { name: /Holiday/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByText('an import of an iCalendar file or feed').waitFor();
    await drawer.getByText('Cannot be reprocessed: no request created it.').waitFor();
    const tabs = await drawer.getByRole('tab').allTextContents();
    expect(tabs, 'without a request there is no response').to.deep.equal(['Timeline']);
  });

  it('imports a feed by its URL, and rejects a URL that is not a feed', async () => {
    const feed = await startFeedServer((request, response) =>
      response.end(request.url === '/calendar.ics' ? FEED : '<html>'),
    );
    const source = await addSource(at.stack, admin);
    const page = await at.open('/events/import', admin);
    await page.getByLabel('Source').selectOption(source.id);
    const address = page.getByLabel('Or an iCalendar feed URL');
    const read = page.getByRole('button', { name: 'Read the feed' });
    await address.fill('http://169.254.169.254/latest/meta-data');
    await read.click();
    await page.getByText('from which feeds are not fetched').waitFor();
    await address.fill(`http://127.0.0.1:${feed.port}/`);
    await read.click();
    await page.getByText('did not respond with an iCalendar feed').waitFor();
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

  it('rejects a folder and a file that it cannot read, and says what to do', async () => {
    await addSource(at.stack, admin);
    const page = await at.open('/events/import', admin);
    await page.getByLabel('CSV or iCalendar file').waitFor({ state: 'attached' });
    await page.evaluate(DROP_FOLDER);
    await page.getByText('“spring” cannot be read.').waitFor();
    await choose(page, Buffer.from('PK\x03\x04\x00\x00\xfc,2030-01-01T10:00Z', 'latin1'));
    await page.getByText('The file is no text').waitFor();
    await choose(page, 'title,starts_at\n"Open day,2030-01-01T10:00Z');
    await page.getByRole('heading', { name: 'spring.csv: 1 row' }).waitFor();
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('row', { name: /2 .*has a quote that is not closed/ }).waitFor();
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

  it('tells a viewer which roles can import', async () => {
    const viewer = await at.stack.addPerson('viewer');
    const page = await at.open('/events/import', viewer);
    await page.getByText('Only owners and admins can import').waitFor();
  });
});
