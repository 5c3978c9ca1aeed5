import type { EventPage } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

const JAZZ = { title: 'Jazz night', starts_at: '2030-05-01T20:00:00Z', location: 'Main Hall' };

describe('browser: changing an event', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.person('owner');
  });

  const stored = async (title: string) => {
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { ...JAZZ, title, price: '10 EUR' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const find = async (query = '') =>
      (await callAs<EventPage>(at.stack, owner, 'GET', `/events?source_id=${source.id}${query}`)).items;
    return { source, find, id: (await find())[0]?.event_id as string };
  };

  it('edits price and end, and says that the source may replace them', async () => {
    const { find, id } = await stored('Edited');
    const page = await at.open(`/events?event=${id}`, owner);
    await page.getByRole('button', { name: 'Edit event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “Edited”' });
    await dialog.getByText('If the source sends this event again').waitFor();
    await expectSound(page, 'the dialog');
    await dialog.getByLabel('Price').fill('12 EUR');
    await dialog.getByLabel('URL').fill('nowhere');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByText('Not an http or https URL').waitFor();
    await dialog.getByLabel('URL').fill('https://example.com/jazz');
    await dialog.getByLabel('Ends').fill('2030-05-02T23:30');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('dialog', { name: 'Event' }).getByText('12 EUR').first().waitFor();
    await until(async () => (await find())[0]?.ends_at !== null, { what: 'the event has an end' });
    expect((await find())[0]).to.include({
      event_id: id,
      url: 'https://example.com/jazz',
      location: 'Main Hall',
      // A time that is not touched stays exactly the same.
      starts_at: '2030-05-01T20:00:00.000Z',
    });
  });

  it('warns before a new title replaces the event, and opens the new one', async () => {
    const { find, id } = await stored('Old title');
    const page = await at.open(`/events?event=${id}`, owner);
    await page.getByRole('button', { name: 'Edit event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “Old title”' });
    await dialog.getByLabel('Title').fill('New title');
    await dialog.getByText('Saving creates an event and deletes this one').waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByText('New title', { exact: true }).first().waitFor();
    await until(async () => (await find()).length === 1, { what: 'one event' });
    const [event] = await find();
    expect(event).to.include({ title: 'New title', price: '10 EUR' });
    expect(new URL(page.url()).searchParams.get('event')).to.equal(event?.event_id);
  });

  it('takes a year that is typed digit by digit', async () => {
    const { find, id } = await stored('Typed');
    const page = await at.open(`/events?event=${id}`, owner);
    await page.getByRole('button', { name: 'Edit event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “Typed”' });
    const ends = dialog.getByLabel('Ends');
    await ends.fill('2030-05-02T23:30');
    await ends.focus();
    // From the month over the day to the year.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2031');
    expect(await ends.inputValue()).to.equal('2031-05-02T23:30');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await until(async () => (await find())[0]?.ends_at?.startsWith('2031-05-0') === true);
  });

  it('restores a cancelled and a deleted event', async () => {
    const { find, id } = await stored('Restored');
    const page = await at.open(`/events?event=${id}&deleted=true`, owner);
    const drawer = page.getByRole('dialog', { name: 'Event' });
    for (const gone of ['Cancel', 'Delete']) {
      await drawer.getByRole('button', { name: `${gone} event` }).click();
      await page
        .getByRole('dialog', { name: `${gone} “Restored”?` })
        .getByRole('button', { name: `${gone} event` })
        .click();
      await drawer.getByRole('button', { name: 'Restore event' }).click();
      await page
        .getByRole('dialog', { name: 'Restore “Restored”?' })
        .getByRole('button', { name: 'Restore event' })
        .click();
      await drawer.getByRole('button', { name: 'Cancel event' }).waitFor();
    }
    expect((await find(`&include_deleted=true`)).map(({ status, price }) => [status, price])).to.deep.equal([
      ['upcoming', '10 EUR'],
    ]);
  });
});
