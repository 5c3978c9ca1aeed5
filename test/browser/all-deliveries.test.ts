import { expect } from 'chai';
import { serious } from './support/axe.ts';
import { type Look, useBrowser } from './support/browser.ts';
import { hold } from './support/held.ts';
import { addSource, send, untilLogged } from './support/source.ts';

const LOOKS: Look[] = [
  { width: 1440, scheme: 'light' },
  { width: 360, scheme: 'dark' },
];

describe('browser: the deliveries of all sources', () => {
  const at = useBrowser();

  it('say beside the title why a request was rejected', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    await send(source, { title: 'Half right', starts_at: '1 Dec' });
    const page = await at.open('/deliveries', owner);
    await page.getByRole('row', { name: /Half right · validation failed: event\.starts_at/ }).waitFor();
    await page.getByTitle(/event\/starts_at: .* is not an ISO 8601 datetime/).waitFor();
  });

  it('have a heading while the address of one is looked up', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Looked up' });
    await untilLogged(at.stack, owner, body.delivery_id as string);
    const page = await at.open('/deliveries', owner);
    const held = await hold(page, `/api/dashboard/v1/deliveries/${body.delivery_id}`, 'GET');
    await page.goto(`${at.stack.url}/deliveries/${body.delivery_id}`);
    await held.asked;
    await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
    await held.release();
    await page.getByRole('dialog', { name: 'Delivery' }).getByText('Looked up').first().waitFor();
  });

  for (const look of LOOKS) {
    it(`are listed with their source and number, live and by time: ${look.scheme}, ${look.width} px`, async () => {
      const owner = await at.stack.addPerson('owner');
      const title = `Anywhere ${look.width}`;
      const sources = [await addSource(at.stack, owner), await addSource(at.stack, owner)];
      for (const source of sources) {
        const { body } = await send(source, {
          title,
          starts_at: `2031-05-15T12:00:00Z`,
          location: source.name,
        });
        await untilLogged(at.stack, owner, body.delivery_id as string);
      }
      const page = await at.open(`/deliveries?title=${encodeURIComponent(title)}`, owner, look);
      for (const { name } of sources)
        await page.getByRole('row', { name: new RegExp(`${title}.*${name}`) }).waitFor();
      await page.getByText('2 rows', { exact: true }).waitFor();
      const { body } = await send(sources[0] as (typeof sources)[0], { title, location: 'later' });
      await page.locator(`[data-row="${body.delivery_id}"]`).waitFor();
      expect(await serious(page)).to.deep.equal([]);
      await page.goto(`${at.stack.url}/deliveries?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`);
      await page.getByText('No matching deliveries').waitFor();
    });
  }
});
