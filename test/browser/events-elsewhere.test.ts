import type { EventPage } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send } from './support/source.ts';

describe('browser: events outside the current list', () => {
  const at = useBrowser();

  it('are not blamed on filters where none is set', async () => {
    const page = await at.open('/events?when=all', await at.stack.person('owner'));
    await page.getByText('No events yet').waitFor();
    await page.getByRole('link', { name: 'Set up a webhook source' }).waitFor();
    expect(await page.getByRole('button', { name: 'Clear all filters' }).count()).to.equal(0);
  });

  it('offers past events if no upcoming event matches, and the other way round', async () => {
    const admin = await at.stack.person('admin');
    const source = await addSource(at.stack, admin);
    const page = await at.open('/events', admin);
    await page.getByText('Events appear here as soon as a source sends them').waitFor();

    await send(source, { title: 'Summer fair', starts_at: '2020-07-01T10:00:00Z' });
    const events = () => callAs<EventPage>(at.stack, admin, 'GET', '/events?when=all');
    await until(async () => (await events()).items.length === 1, { what: 'the past event is there' });
    await page.reload();
    await page.getByText('There are past events.').waitFor();

    await page.getByLabel('Search in title and location').fill('fair');
    await page.getByText('No upcoming event matches').waitFor();
    await page.getByText('Past events match.').waitFor();
    await page.getByRole('button', { name: 'Show past events' }).click();
    await page.getByRole('row', { name: /Summer fair/ }).waitFor();
    expect(new URL(page.url()).search).to.equal('?q=fair&when=past');

    await send(source, { title: 'Winter fair', starts_at: '2090-01-01T10:00:00Z' });
    await until(async () => (await events()).items.length === 2, { what: 'the upcoming event is there' });
    await page.getByLabel('Search in title and location').fill('winter');
    await page.getByText('No past event matches').waitFor();
    await page.getByRole('button', { name: 'Show upcoming events' }).click();
    await page.getByRole('row', { name: /Winter fair/ }).waitFor();

    await page.getByLabel('Search in title and location').fill('nowhere');
    await page.getByText('No event matches', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('row', { name: /Winter fair/ }).waitFor();
  });
});
