import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';

describe('browser: dialogs whose code arrives late', () => {
  const at = useBrowser();

  it('open once it is there, and show nothing in between', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Slow line' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const path = `/events/webhook/${source.id}/deliveries`;
    const page = await at.open(path, owner);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = new Set<string>();
    await page.route(/assets\/(command-palette|delivery-drawer)-.*\.js$/, async (route) => {
      asked.add(/(command-palette|delivery-drawer)/.exec(route.request().url())?.[0] ?? '');
      await held;
      await route.continue();
    });
    await page.reload();
    const row = page.getByRole('row', { name: /Slow line/ });
    await row.waitFor();
    await page.keyboard.press('Control+k');
    await row.click();
    expect(await page.getByRole('dialog').count(), 'dialogs before').to.equal(0);
    expect(await page.locator('[class*=Skeleton]').count(), 'placeholders').to.equal(0);
    release();
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.getByRole('dialog', { name: 'Delivery' }).getByText('Slow line').first().waitFor();
    expect([...asked].sort()).to.deep.equal(['command-palette', 'delivery-drawer']);
  });
});
