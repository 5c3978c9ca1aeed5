import type { ChannelCreated } from '@sluice/dashboard-api/channels';
import type { EventPage } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { delivery } from '../store/support.ts';
import { applyActions, visitorSays } from '../support/conversations.ts';
import { useBrowser } from './support/browser.ts';
import { addLead } from './support/leads.ts';
import { addSource, callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

const HEADERS = { contentType: 'application/problem+json' };
const REJECTED = JSON.stringify({ code: 'rate_limited', detail: 'Too many requests.', request_id: 'req_1' });

/** Resolves once the page has handled what came before, such as a scroll. */
const AFTER_A_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Rejects requests for a further page of a list until it is called. Returns how many it rejected. */
async function rejectPages(page: Page, path: string): Promise<() => Promise<number>> {
  let rejected = 0;
  const matches = (url: URL) => url.pathname.endsWith(path) && url.searchParams.has('cursor');
  await page.route(matches, (route) => {
    rejected += 1;
    return route.fulfill({ status: 429, ...HEADERS, body: REJECTED });
  });
  return async () => {
    await page.unroute(matches);
    return rejected;
  };
}

describe('browser: a page of a list that cannot be loaded', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  it('is reported below the list, and loads on Retry', async () => {
    const names = Array.from({ length: 51 }, (_, index) => `Lead ${index}`);
    for (const name of names) await addLead(at.stack, owner, { name });
    const page = await at.open('/leads?sort=created_at', owner);
    await page.getByRole('row', { name: /Lead 49/ }).waitFor();
    const accept = await rejectPages(page, '/leads');
    await page.getByRole('button', { name: 'Show more' }).click();
    const note = page.getByRole('alert').filter({ hasText: 'Too many requests.' });
    await note.waitFor();
    expect(await page.getByText('Not up to date').count()).to.equal(0);
    await accept();
    await note.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('row', { name: /Lead 50/ }).waitFor();
    await note.waitFor({ state: 'detached' });
  });

  it('marks the rows as not up to date if their reload fails', async () => {
    await addLead(at.stack, owner, { name: 'Before', tags: ['reload'] });
    const page = await at.open('/leads?tag=reload', owner, { width: 360, scheme: 'dark' });
    await page.getByRole('row', { name: /Before/ }).waitFor();
    await page.route('**/leads?*', (route) => route.abort());
    await addLead(at.stack, owner, { name: 'After', tags: ['reload'] });
    const mark = page.getByText('Not up to date: The server cannot be reached.');
    await mark.waitFor();
    await page.getByRole('row', { name: /Before/ }).waitFor();
    await page.unroute('**/leads?*');
    const retry = page.getByRole('button', { name: 'Retry' });
    await retry.waitFor();
    const label =
      "[...document.querySelectorAll('.mantine-Button-label')].find((one) => one.textContent === 'Retry')";
    const cut = await page.evaluate<number>(
      `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(${label})`,
    );
    expect(cut, 'hidden pixels of its label').to.equal(0);
    await retry.click();
    await page.getByRole('row', { name: /After/ }).waitFor();
    await mark.waitFor({ state: 'detached' });
  });

  it('is asked for once in the delivery log, and again on Retry', async () => {
    const source = await addSource(at.stack, owner);
    const newest = Date.now();
    const rows = Array.from({ length: 101 }, (_, index) =>
      delivery({
        delivery_id: `dlv_failed${index}${source.id}`,
        received_at: newest - index,
        source_id: source.id,
        account_id: at.stack.accountId,
        title: `Row ${index}`,
        event_id: null,
      }),
    );
    await at.stack.insertDeliveries(rows);
    const page = await at.open('/', owner);
    const accept = await rejectPages(page, '/deliveries');
    await page.goto(`${at.stack.url}/events/webhook/${source.id}/deliveries`);
    await page.getByRole('row', { name: /Row 0/ }).waitFor();
    await page.keyboard.press('End');
    const note = page.getByRole('alert').filter({ hasText: 'Too many requests.' });
    await note.waitFor();
    expect(await accept()).to.equal(1);
    await note.getByRole('button', { name: 'Retry' }).click();
    await page.keyboard.press('End');
    await page.getByRole('row', { name: /Row 100/ }).waitFor();
  });

  it('is reported in the calendar for the series that began before the month', async () => {
    const page = await at.open('/', owner);
    let fails = true;
    await page.route(
      (url) => url.pathname.endsWith('/events') && url.searchParams.has('recurring'),
      async (route) => {
        if (fails) return route.fulfill({ status: 429, ...HEADERS, body: REJECTED });
        const response = await route.fetch();
        const body: EventPage = { ...((await response.json()) as EventPage), next_cursor: 'more' };
        return route.fulfill({ response, json: body });
      },
    );
    await page.goto(`${at.stack.url}/events?view=calendar`);
    const note = page.getByRole('alert').filter({ hasText: 'Too many requests.' });
    await note.waitFor();
    fails = false;
    await note.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('of the series that began before the month are shown').waitFor();
  });

  it('is asked for once in a conversation, and loads on Retry', async () => {
    const { channel } = await callAs<ChannelCreated>(at.stack, owner, 'POST', '/channels', { name: 'Chat' });
    const says = Array.from({ length: 60 }, (_, n) => visitorSays('long', `Message number ${n}.`));
    const where = { accountId: at.stack.accountId, channelId: channel.channel_id };
    const id = await applyActions(at.stack.store, where, says);
    const page = await at.open(`/conversations/${id}`, owner);
    const thread = page.getByRole('region', { name: 'Messages' });
    await thread.getByText('Message number 59.').waitFor();
    const accept = await rejectPages(page, '/messages');
    const note = page.getByRole('alert').filter({ hasText: 'Too many requests.' });
    for (const scrollTop of [0, 90, 0]) {
      await thread.evaluate((element, top) => {
        element.scrollTop = top;
      }, scrollTop);
      await note.waitFor();
      await page.evaluate(AFTER_A_FRAME);
    }
    expect(await accept()).to.equal(1);
    await note.getByRole('button', { name: 'Retry' }).click();
    await thread.getByText('Message number 0.').waitFor({ state: 'attached' });
  });

  it('keeps its error and Retry while it is tried again, and loads once it can, if it is the whole page', async () => {
    const page = await at.open('/settings/profile', owner);
    await page.route('**/overview?*', (route) => route.abort());
    await page.goto(at.stack.url);
    const note = page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' });
    await note.waitFor();
    await page.waitForRequest(/\/overview\?/);
    await page.evaluate(AFTER_A_FRAME);
    expect(await note.count(), 'errors').to.equal(1);
    expect(await page.getByRole('status', { name: 'Loading' }).count(), 'skeletons').to.equal(0);
    await page.unroute('**/overview?*');
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await note.waitFor({ state: 'detached' });
  });
});
