import type { EventPage } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { choose } from './support/import-files.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: importing events', () => {
  const at = useBrowser();
  let admin: Person;
  before(async () => {
    admin = await at.stack.addPerson('admin');
  });

  it('sends a failed batch again on Retry, without loss or repetition', async () => {
    const source = await addSource(at.stack, admin);
    const page = await at.open('/events/import', admin);
    await page.getByLabel('Source').selectOption(source.id);
    const rows = Array.from({ length: 1500 }, (_, index) => `Retried ${index},2031-01-01T10:00Z`);
    await choose(page, ['title,starts_at', ...rows].join('\n'), 'big.csv');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1,500 new, 0 update, 0 bad').waitFor();
    let calls = 0;
    // The API accepts the second batch, but its response is lost.
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
      what: 'the duplicates are logged',
    });
  });

  it('leads back to the check if another import has run since', async () => {
    const source = await addSource(at.stack, admin);
    const page = await at.open('/events/import', admin);
    await page.getByLabel('Source').selectOption(source.id);
    const vevent = ['BEGIN:VEVENT', 'UID:1@example.com', 'SUMMARY:Checked', 'DTSTART:20310101T100000Z'];
    const lines = ['BEGIN:VCALENDAR', ...vevent, 'END:VEVENT', 'END:VCALENDAR'];
    await choose(page, lines.join('\r\n'), 'checked.ics');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('1 new').waitFor();
    const { importTurns } = at.stack.store;
    await importTurns.takeTurn(source.id, { import_id: 'import_other', at: Date.now() });
    await importTurns.endTurn(source.id, 'import_other', Date.now());
    await page.getByRole('button', { name: 'Import 1 event' }).click();
    await page.getByText('Check it again').waitFor();
    await page.getByRole('button', { name: 'Back to the check' }).click();
    await page.getByRole('heading', { name: 'checked.ics: 1 event' }).waitFor();
    expect(await page.getByText('Check it again').count()).to.equal(0);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('button', { name: 'Import 1 event' }).click();
    await page.getByText('Accepted 1 of 1 event').waitFor();
  });

  it('undoes the last import after a dialog that shows the effect', async () => {
    const source = await addSource(at.stack, admin);
    const known = { title: 'Known one', starts_at: '2030-05-01T10:00:00Z', location: '', price: 'old' };
    const { body } = await send(source, known);
    await untilLogged(at.stack, admin, body.delivery_id);
    const page = await at.open('/events/import', admin);
    await page.getByLabel('Source').selectOption(source.id);
    const rows = ['Known one', 'Fresh', 'Touched'].map((title) => `${title},2030-05-01T10:00Z,new`);
    await choose(page, ['title,starts_at,price', ...rows].join('\n'), 'undo-me.csv');
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('Accepted 3 of 3 rows.').waitFor();
    const find = async () => {
      const { items } = await callAs<EventPage>(at.stack, admin, 'GET', `/events?source_id=${source.id}`);
      return items.map(({ title, price }) => `${title} ${price}`).sort();
    };
    await until(async () => (await find()).join() === 'Fresh new,Known one new,Touched new');
    const touched = await send(source, { ...known, title: 'Touched', price: 'newer' });
    await untilLogged(at.stack, admin, touched.body.delivery_id);

    await page.getByText('undo-me.csv into').waitFor();
    const check = '**/events/import/undo/check';
    await page.route(check, (route) => route.abort());
    const open = page.getByRole('button', { name: 'Undo this import' });
    await open.click();
    const unknown = page.getByRole('dialog');
    await unknown.getByText('The server cannot be reached.').waitFor();
    expect(await unknown.getByRole('button', { name: 'Undo import' }).isDisabled(), 'unknown').to.equal(true);
    await unknown.getByRole('button', { name: 'Cancel' }).click();
    await page.unroute(check);
    await open.click();
    const dialog = page.getByRole('dialog', { name: 'Undo the import of “undo-me.csv”?' });
    await dialog.getByText('1 event created by the import is deleted.').waitFor();
    await dialog.getByText('1 event changed by the import gets its previous content back.').waitFor();
    await dialog.getByText('1 event has changed since the import and is skipped:').waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'Touched' }).waitFor();
    await expectSound(page, 'dialog');
    await dialog.getByRole('button', { name: 'Undo import' }).click();
    await page.getByText('Undone: 1 deleted, 1 restored').waitFor();
    await until(async () => (await find()).join() === 'Known one old,Touched newer');
    await page.getByText(/^undone /).waitFor();
    expect(await page.getByText('Accepted 3 of 3 rows.').count(), 'the result').to.equal(0);
    expect(await page.getByRole('button', { name: 'Undo this import' }).count()).to.equal(0);
  });
});
