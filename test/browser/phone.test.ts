import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { axeFindings } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

const NARROW = { width: 360, scheme: 'dark' } as const;

describe('browser: a phone', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Jazz night', location: 'Berlin', recurring: 'weekly' });
    await untilLogged(at.stack, owner, body.delivery_id);
  });

  it('has one Filters button, which counts those that are set, and a wide page has none', async () => {
    const page = await at.open('/', owner, NARROW);
    for (const [path, filter, option] of [
      ['/events', 'Origin', 'webhook'],
      ['/deliveries', 'Outcome', 'created'],
    ] as const) {
      await page.goto(at.stack.url + path);
      const button = page.getByRole('button', { name: /^Filters/ });
      await button.waitFor();
      const field = page.getByLabel(filter, { exact: true });
      expect(await field.isVisible(), 'before').to.equal(false);
      await button.click();
      await field.selectOption(option);
      await page.getByRole('button', { name: 'Filters (1)', expanded: true }).waitFor();
      expect(await axeFindings(page)).to.deep.equal([]);
      expect(await overflow(page)).to.equal(0);
      await page.reload();
      await page.getByRole('button', { name: 'Filters (1)', expanded: false }).waitFor();
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel('Outcome', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Filters/ }).count()).to.equal(0);
  });

  it('shows an event as a card of at most 120 px, with title, status, start, place and source', async () => {
    const page = await at.open('/events', owner, NARROW);
    const card = page.locator('[data-event]').first();
    await card.waitFor();
    expect((await card.boundingBox())?.height).to.be.at.most(120);
    for (const text of ['Jazz night', 'upcoming', 'Berlin', 'weekly', 'Booking'])
      expect(await card.getByText(text).first().isVisible(), text).to.equal(true);
    expect(await axeFindings(page)).to.deep.equal([]);
  });

  it('shows the navigation below the top bar, scrolls to its last link, and closes it on Escape or a choice', async () => {
    const page = await at.open('/leads?view=board', owner, NARROW);
    await page.setViewportSize({ width: 390, height: 664 });
    const closed = page.getByRole('button', { name: 'Navigation', expanded: false });
    const nav = page.getByRole('navigation', { name: 'Main' });
    const leads = page.getByRole('link', { name: 'Leads', exact: true });
    await closed.press('Enter');
    await leads.focus();
    await page.keyboard.press('Escape');
    await closed.waitFor();
    expect(await closed.evaluate((element) => element.matches(':focus'))).to.equal(true);

    // The link of the page that is open.
    await closed.click();
    await leads.click();
    await closed.waitFor();
    expect(new URL(page.url()).search).to.equal('');

    await closed.click();
    const bar = await page.getByRole('banner').boundingBox();
    const first = await nav.getByRole('link', { name: 'Overview' }).boundingBox();
    expect(first?.y).to.be.at.least(bar?.height ?? 664);
    await nav.hover();
    await page.mouse.wheel(0, 2000);
    const last = nav.getByRole('link').last();
    await until(async () => ((await last.boundingBox())?.y ?? 664) < 620, {
      what: 'the last link is in view',
    });
    await last.click();
    await page.waitForURL('**/ops');
    // The browser would complain about a style that its policy blocks.
    for (const _ of [1, 2, 3]) await page.getByRole('button', { name: /^Theme/ }).click();
  });

  it('breaks an e-mail address after "@" or "-" or before "." only, and has arrows of selects as high as their text', async () => {
    const page = await at.open('/settings/members', owner, NARROW);
    await page.locator('td').getByText('Ada owner').first().waitFor();
    expect(await page.evaluate<string[]>(BROKEN_PARTS)).to.deep.equal([]);
    await page.goto(`${at.stack.url}/settings/audit-log`);
    const arrow = page.locator('.mantine-NativeSelect-section svg').first();
    await arrow.waitFor();
    expect((await arrow.boundingBox())?.height).to.be.at.most(16);
  });
});

function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** The texts between two places to break that take more than one line. Chromium breaks after a hyphen too. */
const BROKEN_PARTS = `[...document.querySelectorAll('td wbr')].flatMap((wbr) => [wbr.previousSibling, wbr.nextSibling])
  .filter((node) => node !== null && node.nodeType === Node.TEXT_NODE)
  .flatMap((node) => [...node.textContent.matchAll(/[^-]+-?/g)].map((part) => [node, part]))
  .filter(([node, { 0: text, index }]) => {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + text.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  })
  .map(([, { 0: text }]) => text)`;
