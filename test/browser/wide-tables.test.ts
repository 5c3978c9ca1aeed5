import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { callAs } from './support/source.ts';

/** A word of a route that is shown in two lines has two boxes. */
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

describe('browser: wide tables', () => {
  const at = useBrowser();

  it('API Keys: no word of where a key was used last is taken apart at 1440 px, and nothing lies beyond the edge, nor at 1280 px', async () => {
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
      { what: 'the last use is noted' },
    );
    const boxes = await page.evaluate<[string, number][]>(BOXES_OF_WORDS);
    expect(boxes.map(([word]) => word)).to.include('automation');
    expect(boxes.filter(([, count]) => count > 1)).to.deep.equal([]);
    expect(await page.evaluate(OVERFLOW), 'nothing beyond the edge').to.be.at.most(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await page.evaluate(OVERFLOW), 'nor at 1280 px').to.be.at.most(0);
  });

  it('Webhook: a source with the longest of names does not widen the page', async () => {
    const owner = await at.stack.addPerson('owner');
    const name = 'W'.repeat(100);
    await callAs(at.stack, owner, 'POST', '/sources', { name });
    const page = await at.open('/events/webhook', owner);
    const copy = page.getByRole('button', { name: `Copy endpoint URL of ${name}` });
    await copy.focus();
    expect(await page.evaluate(OVERFLOW)).to.be.at.most(0);
  });
});
