import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { delivery } from '../store/support.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, send, sendUntilTaken, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

/** How often to hold deliveries back, if the machine was late. */
const ROUNDS = 5;
/** Six pages of the list. */
const ROWS = 650;
const SEEN = 550;
const IN_DOCUMENT = 150;

/** Answers the polls of a page that more has come than they read, once the function that it returns was called. */
async function skipDeliveries(page: Page): Promise<() => void> {
  let skip = () => {};
  const skips = new Promise<void>((resolve) => {
    skip = resolve;
  });
  const json = { items: [], more: true, until: new Date().toISOString() };
  await page.route(`**${ROUTES.deliveries.changes.path}*`, (route) =>
    skips.then(() => route.fulfill({ json })),
  );
  return skip;
}

describe('browser: Recent Deliveries live', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  it('shows a new delivery without a reload; Pause holds new ones back and counts them', async () => {
    const source = await addSource(at.stack, owner);
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByText('Live', { exact: true }).waitFor();
    expect((await sendUntilTaken(source, { title: 'Unasked for' })).status).to.equal(200);
    await page.getByRole('row', { name: /Unasked for/ }).waitFor();

    const offer = page.getByRole('button', { name: /^(Show 2 new|Show \d+\+ new|Reload)$/ });
    /** Resolves to whether the page counts both. It rightly does not after a 503. */
    const holdBack = async (...titles: string[]): Promise<boolean> => {
      await page.getByRole('button', { name: 'Pause' }).click();
      for (const title of titles) {
        const { status } = await send(source, { title });
        if (status === 503) return false;
        expect(status).to.equal(200);
      }
      await offer.waitFor();
      return (await offer.textContent()) === 'Show 2 new';
    };
    const resume = () => page.getByRole('button', { name: 'Resume' }).click();
    let [one, two] = ['Held back one', 'Held back two'];
    for (let round = 1; !(await holdBack(one, two)); round++) {
      expect(round, 'rounds without a count of both').to.be.below(ROUNDS);
      await resume();
      [one, two] = [`${one} again`, `${two} again`];
    }
    expect(await page.getByRole('row', { name: one }).count()).to.equal(0);
    expect(await page.getByRole('row', { name: two }).count()).to.equal(0);

    await resume();
    for (const title of [one, two]) await page.getByRole('row', { name: title }).waitFor();
    const texts = await page.getByRole('row').allInnerTexts();
    const placeOf = (title: string) => texts.findIndex((text) => text.includes(title));
    // The first row has the names of the columns.
    expect(placeOf(two), 'the newest').to.equal(1);
    expect(placeOf(one)).to.equal(2);
    expect(placeOf('Unasked for')).to.be.above(2);
  });

  it('offers to reload while paused if more has come than a poll reads, and remains paused', async () => {
    const source = await addSource(at.stack, owner);
    const page = await at.open('/events', owner);
    const skip = await skipDeliveries(page);
    const { path } = ROUTES.deliveries.list;
    const loaded = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(path));
    await page.goto(`${at.stack.url}/events/webhook/${source.id}/deliveries`);
    await (await loaded).finished();
    await page.getByRole('button', { name: 'Pause' }).click();
    skip();
    const answer = await sendUntilTaken(source, { title: 'Skipped' });
    await untilLogged(at.stack, owner, answer.body.delivery_id);
    expect(await page.getByRole('row', { name: /Skipped/ }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('row', { name: /Skipped/ }).waitFor();
    await page.getByText('Paused', { exact: true }).waitFor();
  });

  it('skips no row while scrolled, keeps few in the document, and offers to reload so that none moves', async () => {
    const source = await addSource(at.stack, owner);
    const newest = Date.now() - 60_000;
    await at.stack.insertDeliveries(
      Array.from({ length: ROWS }, (_, index) =>
        delivery({
          delivery_id: `dlv_scrolled${index}${source.id}`,
          received_at: newest - index,
          source_id: source.id,
          account_id: at.stack.accountId,
          title: `Row ${index} of the log`,
          event_id: null,
        }),
      ),
    );
    const page = await at.open('/events', owner);
    const skip = await skipDeliveries(page);
    await page.goto(`${at.stack.url}/events/webhook/${source.id}/deliveries`);
    await page.getByRole('row', { name: /Row 0 / }).waitFor();
    const seen = new Set<number>();
    for (let step = 0; seen.size < SEEN && step < 1000; step++) {
      for (const text of await page.getByRole('row').allInnerTexts()) {
        const match = /Row (\d+) /.exec(text);
        if (match !== null) seen.add(Number(match[1]));
      }
      // Two steps are less than the height of the window, so a busy machine that draws only the second skips no row.
      await page.evaluate(
        'scrollBy(0, 400), new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))',
      );
    }
    const missing = Array.from({ length: SEEN }, (_, index) => index).filter((index) => !seen.has(index));
    expect(missing, 'rows that were never in the document').to.deep.equal([]);
    expect(await page.getByRole('row').count()).to.be.below(IN_DOCUMENT);
    skip();
    const reload = page.getByRole('button', { name: 'Reload' });
    await reload.waitFor();
    expect((await reload.boundingBox())?.y, 'in view, below the top bar').to.be.within(50, 200);
    await reload.click();
    await reload.waitFor({ state: 'detached' });
  });

  it('shows a rejected delivery too, and hides deliveries that do not match the filter', async () => {
    const source = await addSource(at.stack, owner);
    const page = await at.open(`/events/webhook/${source.id}/deliveries?status_class=4xx`, owner);
    await page.getByText('Live', { exact: true }).waitFor();
    await send(source, { title: 'Accepted' });
    await send(source, {}, 'whsec_wrong');
    await page.getByRole('row', { name: /signature invalid/ }).waitFor();
    expect(await page.getByRole('row', { name: /Accepted/ }).count()).to.equal(0);
  });
});
