import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addSource, send, type TestSource, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

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
  let owner: Person;
  let source: TestSource;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    source = await addSource(at.stack, owner);
  });

  it('never runs markup of an event: not in the log, its drawer, the list of events or the event', async () => {
    const event = { title: `Hostile ${MARKUP}`, location: MARKUP, description: MARKUP, price: MARKUP };
    expect((await send(source, event)).status).to.equal(200);

    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
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

  it('does not reorder the words of a dialog around a right-to-left override or an end of its isolate', async () => {
    const page = await at.open('/', owner);
    for (const name of ['Invoice \u202Efdp.exe', 'Receipt \u2069\u202Efdp.exe']) {
      const [word = ''] = name.split(' ');
      const { body } = await send(source, { title: name });
      await untilLogged(at.stack, owner, body.delivery_id);
      await page.goto(`${at.stack.url}/events?q=${word}&when=all`);
      await page.getByRole('row', { name: new RegExp(word) }).click();
      await page.getByRole('button', { name: 'Delete event' }).click();
      const title = page.getByRole('dialog', { name: new RegExp(`^Delete “${word}`) }).locator('h2');
      const [first, ...others] = await title.evaluate(
        new Function('h', `return (${PLACES})(h)`) as () => number[],
      );
      const last = others.pop();
      expect(first, `the first character: ${word}`).to.be.below(Math.min(...others));
      expect(last, `the last character: ${word}`).to.be.above(Math.max(...others));
    }
  });
});
