import type { EventPage } from '@sluice/dashboard-api/events';
import type { Overview } from '@sluice/dashboard-api/overview';
import type { SourceCreated } from '@sluice/dashboard-api/sources';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

/** Counts the boxes of each word in a route. A word on two lines has two boxes. */
const BOXES_OF_WORDS = `Array.from(document.querySelectorAll('td[data-label="Last used"]')).flatMap((cell) => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const boxes = [];
  while (walker.nextNode()) {
    for (const { index, 0: word } of walker.currentNode.data.matchAll(/\\w+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      boxes.push([word, range.getClientRects().length]);
    }
  }
  return boxes;
})`;
/** Counts the lines of an element's text. */
const LINES = `(element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
}`;
/** Checks that the number after an element and a colon is displayed after the element. */
const IS_FOLLOWED = `(element) => {
  const range = document.createRange();
  range.selectNode(element.nextSibling.nextSibling);
  return range.getBoundingClientRect().left >= element.getBoundingClientRect().right - 1;
}`;

/** Medium widths. The menu is beside the page from 961 px on. */
const MIDDLING = [1160, 1024, 964, 900, 840];

/** Content drawn by a script, such as a chart, follows a new window width a moment later. */
const SETTLED_MS = 15_000;

const ask = <T>(element: Locator, question: string) =>
  element.evaluate(new Function('element', `return (${question})(element)`) as () => T);

async function expectNoOverflow(page: Page, widths: readonly number[], what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const fits = async () =>
      (await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) <= 0;
    await until(fits, { withinMs: SETTLED_MS, what: `no overflow of ${what} at ${width} px` });
  }
}

describe('browser: wide tables and long names', () => {
  const at = useBrowser();
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });
  const addNamed = (name: string) => callAs<SourceCreated>(at.stack, owner, 'POST', '/sources', { name });

  it('API Keys: breaks no word of the last use, keeps the actions on one line, and does not overflow', async () => {
    const name = 'A key of a reporting tool, with a name of some length';
    const { key } = await callAs<{ key: string }>(at.stack, owner, 'POST', '/keys', {
      name,
      scopes: ['read:leads', 'write:leads', 'read:conversations', 'write:conversations', 'webhooks'],
      expires_at: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    });
    const headers = { authorization: `Bearer ${key}` };
    for (let uses = 0; uses < 5; uses++)
      expect((await fetch(`${at.stack.url}/api/public/automation/me`, { headers })).status).to.equal(200);
    const { item } = await callAs<{ item: { key_id: string } }>(at.stack, owner, 'POST', '/keys', {
      name: 'K'.repeat(100),
      scopes: ['webhooks'],
    });
    await callAs(at.stack, owner, 'POST', `/keys/${item.key_id}/revoke`);
    const page = await at.open('/settings/api-keys', owner);
    const row = page.getByRole('row', { name: /reporting tool/ });
    await until(
      async () => {
        await page.reload();
        await row.waitFor();
        return (await page.getByText('GET /api/').count()) > 0;
      },
      { what: 'the last use is recorded' },
    );
    const boxes = await page.evaluate<[string, number][]>(BOXES_OF_WORDS);
    expect(boxes.map(([word]) => word)).to.include('automation');
    expect(boxes.filter(([, count]) => count > 1)).to.deep.equal([]);
    await expectNoOverflow(page, [1440, 1280, 1220, ...MIDDLING], 'API Keys');
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const tops = await Promise.all(
        ['Rename', 'Rotate', 'Revoke'].map(async (verb) => {
          const button = row.getByRole('button', { name: `${verb} ${name}`, exact: true });
          return (await button.boundingBox())?.y;
        }),
      );
      expect(new Set(tops).size, `one line: ${tops}`).to.equal(1);
    }
    await row.getByRole('button', { name: `Rename ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Rename “${name}”` });
    await expectSound(page, 'the dialog');
    await dialog.getByLabel('Name').fill('Make');
    await dialog.getByRole('button', { name: 'Rename key' }).click();
    await page.getByText('Renamed to “Make”.').waitFor();
    await page.getByRole('button', { name: 'Rename Make' }).waitFor();
  });

  it('Webhook, Set up and Test: neither the longest name nor tooltips at the edge widen the page', async () => {
    const name = 'W'.repeat(100);
    await addNamed(name);
    const page = await at.open('/events/webhook', owner);
    await page.getByRole('button', { name: `Copy endpoint URL of ${name}` }).focus();
    await expectNoOverflow(page, [1440], 'Webhook');
    const { id } = await addSource(at.stack, owner);
    await page.goto(`${at.stack.url}/events/webhook/${id}/setup`);
    await page.getByRole('button', { name: 'Copy endpoint URL' }).waitFor();
    await expectNoOverflow(page, [840], 'Set up');
    await page.getByRole('tab', { name: 'Test' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: 'Copy request headers' }).waitFor();
    await expectNoOverflow(page, [1280], 'Test');
  });

  it('Deliveries and Events: fit beside the navigation, and have room for titles', async () => {
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, {
      title: 'Yoga in the park for the whole community',
      location: 'Sportpaleis, Schijnpoortweg 119, 2170 Antwerp',
      starts_at: '2090-07-01T10:00:00Z',
    });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open('/deliveries', owner);
    const title = page.getByRole('row').getByText('Yoga in the park').first();
    for (const width of [1041, 1000, 965]) {
      await page.setViewportSize({ width, height: 800 });
      await title.waitFor();
      const room = async () => ((await title.boundingBox())?.width ?? 0) >= 100;
      await until(room, { withinMs: SETTLED_MS, what: `room for titles at ${width} px` });
      await expectNoOverflow(page, [width], 'Deliveries');
    }
    await page.goto(`${at.stack.url}/events`);
    await page.getByRole('row', { name: /Yoga/ }).waitFor();
    await expectNoOverflow(page, MIDDLING, 'Events');
  });

  it('on paper Deliveries has no row over another, and nothing to click', async () => {
    const source = await addSource(at.stack, owner);
    for (const title of ['On paper one', 'On paper two'])
      await untilLogged(at.stack, owner, (await send(source, { title })).body.delivery_id);
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByRole('row', { name: /On paper two/ }).waitFor();
    await page.emulateMedia({ media: 'print' });
    const one = await page.getByText('On paper one').boundingBox();
    const two = await page.getByText('On paper two').boundingBox();
    expect(one?.y).to.be.at.least((two?.y ?? 0) + (two?.height ?? 0));
    expect(await page.getByRole('button').filter({ visible: true }).count()).to.equal(0);
    expect(await page.getByRole('navigation').filter({ visible: true }).count()).to.equal(0);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('row', { name: /On paper two/ }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Delivery id').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect((await drawer.boundingBox())?.x, 'an open delivery').to.equal(0);
    expect(await drawer.getByRole('heading', { name: 'Delivery', exact: true }).isVisible()).to.equal(true);
    expect(await page.getByText('On paper one').isVisible(), 'the list behind it').to.equal(false);
    await page.emulateMedia({ media: 'screen' });
  });

  it('Overview: its figures leave no hole in a row', async () => {
    const page = await at.open('/', owner);
    const figures = page.locator('dl').first().locator('> div');
    await figures.first().waitFor();
    for (const [width, rows] of [
      [1024, 1],
      [390, 3],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const boxes = await Promise.all((await figures.all()).map((one) => one.boundingBox()));
      expect(new Set(boxes.map((box) => Math.round(box?.y ?? 0))).size, `${width} px`).to.equal(rows);
      const right = (box: (typeof boxes)[number]) => Math.round((box?.x ?? 0) + (box?.width ?? 0));
      expect(right(boxes.at(-1) ?? null), 'the last one ends at the edge').to.equal(
        Math.max(...boxes.map(right)),
      );
    }
  });

  it('a long name breaks no short words in other columns, and leaves room for the title of an event on a phone', async () => {
    const { source, signing_secret: secret } = await addNamed('Kulturhaus Mitte, Buchungen '.repeat(3));
    const event = { title: 'Ein langer Titel '.repeat(25).trim(), location: 'Konferenzzentrum '.repeat(8) };
    await post(source.endpoint_url, signed({ secret, body: upsertBody(event) }));
    const narrow = await addNamed('Kulturhausbuchungen'.repeat(5));
    const short = { title: 'A title of some words', location: 'Berlin' };
    await post(
      narrow.source.endpoint_url,
      signed({ secret: narrow.signing_secret, body: upsertBody(short) }),
    );
    for (const { source_id: id } of [source, narrow.source]) {
      const path = `/events?when=all&source_id=${id}`;
      await until(async () => (await callAs<EventPage>(at.stack, owner, 'GET', path)).items.length === 1);
    }
    const page = await at.open('/', owner);
    for (const [path, label] of [
      [`/events?when=all&source_id=${source.source_id}`, 'Origin'],
      ['/events/webhook', 'Active'],
      ['/settings/audit-log', 'From'],
    ] as const) {
      await page.goto(at.stack.url + path);
      const cell = page.locator(`td[data-label=${label}]`).first();
      const text = label === 'Active' ? cell.getByText('on', { exact: true }) : cell;
      await text.waitFor();
      expect(await ask(text, LINES), label).to.equal(1);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${at.stack.url}/events?when=all&source_id=${narrow.source.source_id}`);
    const title = page.getByText(short.title, { exact: true });
    await title.waitFor();
    expect(await ask(title, LINES)).to.be.at.most(2);
  });

  it('a number after a right-to-left name stays after it', async () => {
    const { source } = await addNamed('مركز الثقافة');
    for (let i = 0; i < 10; i++)
      await post(source.endpoint_url, signed({ secret: 'whsec_wrong', body: upsertBody() }));
    const overview = () => callAs<Overview>(at.stack, owner, 'GET', '/overview');
    await until(async () => (await overview()).attention.some(({ kind }) => kind === 'refusals'));
    const page = await at.open('/', owner);
    const name = page.getByRole('listitem').filter({ hasText: source.name }).locator('strong');
    await name.waitFor();
    expect(await ask(name, IS_FOLLOWED)).to.equal(true);
  });
});
