import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';

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
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';

/** Medium widths. The menu is beside the page from 961 px on. */
const MIDDLING = [1160, 1024, 964, 900, 840];

/** Content drawn by a script, such as a chart, follows a new window width a moment later. */
const SETTLED_MS = 5000;

describe('browser: wide tables', () => {
  const at = useBrowser();

  it('API Keys: breaks no word of the last use at 1440 px, and does not overflow from 1440 px to 840 px', async () => {
    const owner = await at.stack.addPerson('owner');
    const { key } = await callAs<{ key: string }>(at.stack, owner, 'POST', '/keys', {
      name: 'A key of a reporting tool, with a name of some length',
      scopes: ['read:leads', 'write:leads', 'read:conversations', 'write:conversations', 'webhooks'],
      expires_at: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    });
    const me = () =>
      fetch(`${at.stack.url}/api/public/automation/me`, { headers: { authorization: `Bearer ${key}` } });
    for (let uses = 0; uses < 5; uses++) expect((await me()).status).to.equal(200);
    const { item } = await callAs<{ item: { key_id: string } }>(at.stack, owner, 'POST', '/keys', {
      name: 'K'.repeat(100),
      scopes: ['webhooks'],
    });
    await callAs(at.stack, owner, 'POST', `/keys/${item.key_id}/revoke`);
    const page = await at.open('/settings/api-keys', owner);
    await until(
      async () => {
        await page.reload();
        await page.getByRole('row', { name: /reporting tool/ }).waitFor();
        return (await page.getByText('GET /api/').count()) > 0;
      },
      { what: 'the last use is recorded' },
    );
    const boxes = await page.evaluate<[string, number][]>(BOXES_OF_WORDS);
    expect(boxes.map(([word]) => word)).to.include('automation');
    expect(boxes.filter(([, count]) => count > 1)).to.deep.equal([]);
    expect(await page.evaluate(OVERFLOW), 'no overflow').to.be.at.most(0);
    for (const width of [1280, 1220, ...MIDDLING]) {
      await page.setViewportSize({ width, height: 800 });
      const fits = async () => (await page.evaluate<number>(OVERFLOW)) <= 0;
      await until(fits, { withinMs: SETTLED_MS, what: `no overflow at ${width} px` });
    }
  });

  it('Webhook: the longest source name does not widen the page', async () => {
    const owner = await at.stack.addPerson('owner');
    const name = 'W'.repeat(100);
    await callAs(at.stack, owner, 'POST', '/sources', { name });
    const page = await at.open('/events/webhook', owner);
    const copy = page.getByRole('button', { name: `Copy endpoint URL of ${name}` });
    await copy.focus();
    expect(await page.evaluate(OVERFLOW)).to.be.at.most(0);
  });

  it('Set up and Test: tooltips at the right edge do not widen the page', async () => {
    const owner = await at.stack.addPerson('owner');
    const { id } = await addSource(at.stack, owner);
    const page = await at.open(`/events/webhook/${id}/setup`, owner, { width: 840 });
    await page.getByRole('button', { name: 'Copy endpoint URL' }).waitFor();
    expect(await page.evaluate(OVERFLOW), 'Set up').to.be.at.most(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('tab', { name: 'Test' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: 'Copy request headers' }).waitFor();
    expect(await page.evaluate(OVERFLOW), 'Test').to.be.at.most(0);
  });

  it('Deliveries: does not widen the page beside the navigation, and has room for titles', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    await untilLogged(at.stack, owner, (await send(source, { title: 'Yoga in the park' })).body.delivery_id);
    const page = await at.open('/deliveries', owner);
    const title = page.getByRole('row').getByText('Yoga in the park').first();
    for (const width of [1041, 1000, 965]) {
      await page.setViewportSize({ width, height: 800 });
      await title.waitFor();
      const room = async () => ((await title.boundingBox())?.width ?? 0) >= 100;
      await until(room, { withinMs: SETTLED_MS, what: `room for titles at ${width} px` });
      expect(await page.evaluate<number>(OVERFLOW), `${width} px`).to.be.at.most(0);
    }
  });

  it('Events: does not overflow at medium widths', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    await send(source, {
      title: 'Yoga for beginners in the community centre',
      location: 'Sportpaleis, Schijnpoortweg 119, 2170 Antwerp',
      starts_at: '2090-07-01T10:00:00Z',
    });
    const page = await at.open('/events', owner);
    await until(
      async () => {
        await page.reload();
        return (await page.getByRole('row', { name: /Yoga/ }).count()) > 0;
      },
      { what: 'the event is there' },
    );
    for (const width of MIDDLING) {
      await page.setViewportSize({ width, height: 800 });
      const fits = async () => (await page.evaluate<number>(OVERFLOW)) <= 0;
      await until(fits, { withinMs: SETTLED_MS, what: `it fits into ${width} px` });
    }
  });
});
