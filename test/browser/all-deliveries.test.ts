import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { hold } from './support/held.ts';
import { addSource, send, type TestSource, untilLogged } from './support/source.ts';

describe('browser: the deliveries of all sources', () => {
  const at = useBrowser();

  it('are listed with their source, number and reason, live and by time', async () => {
    const owner = await at.stack.person('owner');
    const sources = [await addSource(at.stack, owner), await addSource(at.stack, owner)] as const;
    const title = 'Anywhere';
    const sent = async (source: TestSource) => {
      const { body } = await send(source, {
        title,
        starts_at: '2031-05-15T12:00:00Z',
        location: source.name,
      });
      await untilLogged(at.stack, owner, body.delivery_id as string);
    };
    for (const source of sources) await sent(source);
    const page = await at.open(`/deliveries?title=${title}`, owner);
    for (const { name } of sources)
      await page.getByRole('row', { name: new RegExp(`${title}.*${name}`) }).waitFor();
    await page.getByText('2 rows', { exact: true }).waitFor();
    const { body } = await send(sources[0], { title, location: 'later' });
    await page.locator(`[data-row="${body.delivery_id}"]`).waitFor();
    await send(sources[0], { title, starts_at: '1 Dec' });
    await page.getByRole('row', { name: /Anywhere · validation failed: event\.starts_at/ }).waitFor();
    await page.getByTitle(/event\/starts_at: .* is not an ISO 8601 datetime/).waitFor();
    await expectSound(page);
    await page.goto(`${at.stack.url}/deliveries?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`);
    await page.getByText('No matching deliveries').waitFor();
  });

  it('have a heading while the address of one is looked up', async () => {
    const owner = await at.stack.person('owner');
    const { body } = await send(await addSource(at.stack, owner), { title: 'Looked up' });
    await untilLogged(at.stack, owner, body.delivery_id as string);
    const page = await at.open('/deliveries', owner);
    const held = await hold(page, `/api/dashboard/v1/deliveries/${body.delivery_id}`, 'GET');
    await page.goto(`${at.stack.url}/deliveries/${body.delivery_id}`);
    await held.asked;
    await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
    await held.release();
    await page.getByRole('dialog', { name: 'Delivery' }).getByText('Looked up').first().waitFor();
  });
});
