import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send } from './support/source.ts';

/** Text that would run if the page treated it as markup. Each part sets the page title, which a test can see. */
const MARKUP = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;

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
