import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';

/** Text that would run if the page treated it as markup. Each part sets the page title, which a test can see. */
const MARKUP = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;

/** The left edge of each displayed character of an element. Characters that are not displayed are left out. */
const PLACES = `(element) => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const places = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    for (let at = 0; at < node.data.length; at++) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { left, width } = range.getBoundingClientRect();
      if (width > 0) places.push(left);
    }
  return places;
}`;

describe('browser: content of senders is shown as text', () => {
  const at = useBrowser();

  it('never runs markup of an event: not in the log, its drawer, the list of events or the event', async () => {
    const viewer = await at.stack.addPerson('viewer');
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const event = { title: `Hostile ${MARKUP}`, location: MARKUP, description: MARKUP, price: MARKUP };
    expect((await send(source, event)).status).to.equal(200);

    const page = await at.open(`/events/webhook/${source.id}/deliveries`, viewer);
    const unharmed = async () => {
      expect(await page.title()).to.not.equal('run');
      expect(await page.locator('img[src="x"]').count()).to.equal(0);
    };
    await page.getByRole('row', { name: /Hostile <img/ }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('onerror').first().waitFor();
    await unharmed();
    await drawer.getByRole('tab', { name: 'Request' }).click();
    await drawer.getByText('onerror').first().waitFor();
    await unharmed();

    await page.goto(`${at.stack.url}/events`);
    await page.getByRole('row', { name: /Hostile <img/ }).click();
    await page.getByRole('dialog').getByText('onerror').first().waitFor();
    await unharmed();
  });

  for (const [what, name] of [
    ['a right-to-left override', 'Invoice \u202Efdp.exe'],
    ['an end of its isolate', 'Receipt \u2069\u202Efdp.exe'],
  ] as const)
    it(`does not reorder the words of a dialog around a name with ${what}`, async () => {
      const [word = ''] = name.split(' ');
      const owner = await at.stack.addPerson('owner');
      const source = await addSource(at.stack, owner);
      const { body } = await send(source, { title: name });
      await untilLogged(at.stack, owner, body.delivery_id);
      const page = await at.open(`/events?source_id=${source.id}&when=all`, owner);
      await page.getByRole('row', { name: new RegExp(word) }).click();
      await page.getByRole('button', { name: 'Delete event' }).click();
      const title = page.getByRole('dialog', { name: new RegExp(`^Delete “${word}`) }).locator('h2');
      const [first, ...others] = await title.evaluate(
        new Function('h', `return (${PLACES})(h)`) as () => number[],
      );
      const last = others.pop();
      expect(first, 'the first character').to.be.below(Math.min(...others));
      expect(last, 'the last character').to.be.above(Math.max(...others));
    });

  it('rejects an event URL that is not a web address', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    for (const url of ['javascript:document.title=1', 'data:text/html,x', 'file:///etc/passwd']) {
      expect((await send(source, { url })).status, url).to.equal(400);
    }
    const { items } = await callAs<{ items: unknown[] }>(
      at.stack,
      owner,
      'GET',
      `/events?source_id=${source.id}`,
    );
    expect(items).to.deep.equal([]);
  });
});
