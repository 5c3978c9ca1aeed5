import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send, type TestSource } from './support/source.ts';
import type { Person } from './support/stack.ts';

/** The bucket of the 24-hour range. It is wide enough to click, and all requests of these tests fall into one. */
const BUCKET_MS = 900_000;

describe('browser: choosing in the charts of the overview', () => {
  const at = useBrowser();
  let owner: Person;
  let source: TestSource;

  before(async function () {
    this.timeout(60_000);
    const intoBucket = () => Date.now() % BUCKET_MS;
    await until(() => intoBucket() < BUCKET_MS - 30_000, {
      what: 'a bucket that is not about to end',
      withinMs: 40_000,
    });
    owner = await at.stack.person('owner');
    source = await addSource(at.stack, owner);
    const other = await addSource(at.stack, owner);
    await send(other, { title: 'Elsewhere' });
    for (const title of ['Jazz night', 'Open day']) await send(source, { title });
    for (let i = 0; i < 4; i++) await send(source, {}, 'whsec_wrong');
    const counted = () =>
      callAs<{ totals: { requests: number } }>(at.stack, owner, 'GET', '/overview').then(
        ({ totals }) => totals.requests === 7,
      );
    await until(counted, { what: 'seven requests are counted' });
  });

  it('a click on a bar leads to exactly its deliveries, and the address keeps the choice', async () => {
    const page = await at.open('/?range=24h', owner);
    await clickBar(page, '401');
    await page.waitForURL(/status=401/);
    await page.reload();
    const parts = page.getByRole('region').or(page.locator('section')).filter({ hasText: ', 401' }).last();
    await parts.getByRole('link', { name: source.name }).click();
    await page.waitForURL(/\/deliveries\?from=.*status=401/);
    await page.getByRole('row', { name: /401/ }).nth(3).waitFor();
    expect(await page.getByRole('row').count(), 'the head and four rejections').to.equal(5);
    await page.getByRole('button', { name: 'Remove filter: status 401' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.waitForURL((url) => !url.search.includes('status'));
  });

  it('dragging over a chart chooses the time from the first bucket to the last, for all statuses', async () => {
    const page = await at.open('/?range=24h', owner);
    const box = await boxOf(chart(page, 'From accepted to applied'));
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.6, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, y, { steps: 5 });
    await page.mouse.move(box.x + box.width * 0.8, y, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    const { searchParams } = new URL(page.url());
    const length = Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '');
    expect(length).to.be.above(2 * BUCKET_MS);
    expect(length % BUCKET_MS).to.equal(0);
    expect(searchParams.get('range')).to.equal('24h');
    expect(searchParams.get('status')).to.equal(null);
  });

  it('the table of the chart offers the same choice by keyboard', async () => {
    const page = await at.open('/?range=24h', owner);
    await page.getByRole('button', { name: 'As table' }).first().press('Enter');
    const cell = page.getByRole('row').nth(1).getByRole('link', { name: '4', exact: true });
    await (
      await either(cell, page.getByRole('row').nth(2).getByRole('link', { name: '4', exact: true }))
    ).press('Enter');
    await page.waitForURL(/status=401/);
    await page.getByRole('link', { name: source.name }).waitFor();
  });

  it('arrow keys read the chart bucket by bucket, Enter chooses one and Escape closes the tooltip', async () => {
    const page = await at.open('/?range=24h', owner);
    const deliveries = chart(page, 'Deliveries');
    await deliveries.locator('svg').waitFor();
    const tooltip = tooltipOf(deliveries);
    const shown = () => tooltip.getByRole('listitem').allTextContents();
    await deliveries.press('End');
    // The requests lie in the last bucket, or in the one before if a bucket has just ended.
    if ((await shown()).length === 0) await deliveries.press('ArrowLeft');
    expect(await shown()).to.deep.equal(['200 accepted 3', '401 signature 4']);
    await deliveries.press('Home');
    expect(await shown()).to.deep.equal([]);
    await tooltip.getByText(/\d\d:\d\d/).waitFor();
    await deliveries.press('ArrowRight');
    await deliveries.press('Escape');
    expect(await tooltip.textContent()).to.equal('');
    await deliveries.press('End');
    await deliveries.press('Enter');
    await page.waitForURL(/from=.*to=/);
    const { searchParams } = new URL(page.url());
    const length = Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '');
    expect(length).to.equal(BUCKET_MS);
  });

  it('the tooltip shows the numbers of the bucket under the pointer, inside the chart at any width', async () => {
    for (const width of [1440, 360]) {
      const page = await at.open('/?range=24h', owner, { width });
      for (const title of ['Deliveries', 'From accepted to applied', 'Queue depth']) {
        const box = await boxOf(chart(page, title));
        const tooltip = tooltipOf(chart(page, title));
        for (const share of [0.2, 0.49, 0.51, 0.84]) {
          await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
          await tooltip.getByText(/\d\d:\d\d/).waitFor();
          const shown = await boxOf(tooltip);
          expect(shown.x, `${title}, ${width} px, ${share}`).to.be.at.least(box.x);
          expect(shown.x + shown.width, `${title}, ${width} px, ${share}`).to.be.at.most(
            box.x + box.width + 1,
          );
        }
      }
    }
  });

  it('a reason and a day of the log lead to the deliveries by source', async () => {
    const page = await at.open('/', owner);
    await page.getByRole('link', { name: 'Signature invalid: 4, by source' }).click();
    await page.waitForURL(/code=signature_invalid/);
    await page.getByRole('link', { name: source.name }).waitFor();
    await page
      .getByRole('link', { name: /requests?, \d+ rejected/ })
      .last()
      .click();
    await page.waitForURL((url) => !url.search.includes('code=') && /T00%3A00%3A00/.test(url.search));
    await page.getByRole('link', { name: source.name }).waitFor();
  });

  it('shows the size of the whole log if no row matches', async () => {
    const page = await at.open(`/events/webhook/${source.id}/deliveries?title=nothing`, owner);
    await page.getByText('Without filters, the delivery log has 6 rows.').waitFor();
  });
});

function chart(page: Page, title: string): Locator {
  return page.getByRole('img', { name: `Chart: ${title}` });
}

/** The tooltip is beside the image, as no part of an image has a role. */
function tooltipOf(image: Locator): Locator {
  return image.locator('xpath=..').getByRole('status');
}

async function boxOf(element: Locator) {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error('the element has no box');
  return box;
}

/** Clicks in the middle of the only bar part of a status. */
async function clickBar(page: Page, status: string): Promise<void> {
  const bar = page.locator(`path[fill="url(#status-${status})"]`).first();
  const box = await boxOf(bar);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.up();
}

/** Returns the locator that exists. The requests are in the current bucket, or in the one that just ended. */
async function either(one: Locator, other: Locator): Promise<Locator> {
  await one.or(other).first().waitFor();
  return (await one.count()) > 0 ? one : other;
}
