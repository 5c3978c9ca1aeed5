import { expect } from 'chai';
import { clipboard, useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';

describe('browser: a delivery and the one before it of the same event', () => {
  const at = useBrowser();

  it('shows what one says of the event that the other did not, and leads to the other', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const ids: string[] = [];
    for (const price of ['Free', 'Free', '12 EUR']) {
      const { body } = await send(source, { title: 'Open day', price, url: 'https://example.com/open-day' });
      await untilLogged(at.stack, owner, body.delivery_id);
      ids.push(body.delivery_id);
    }
    const [first, second, third] = ids as [string, string, string];
    const page = await at.open(`/deliveries/${third}`, owner, { width: 360, scheme: 'dark' });
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByRole('button', { name: 'Compare with previous' }).click();
    const changed = drawer.getByRole('region', { name: 'Compared with the previous delivery' });
    await changed.locator('del').getByText('- "price": "Free"').waitFor();
    expect(await changed.locator('ins').allTextContents()).to.deep.equal(['+     "price": "12 EUR",']);
    expect(await changed.locator('del').count()).to.equal(1);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    await changed.getByRole('button', { name: second }).click();
    await drawer.getByRole('button', { name: 'Copy delivery id' }).click();
    expect(await clipboard(page)).to.equal(second);
    await drawer.getByRole('button', { name: 'Compare with previous' }).click();
    await drawer.getByText(first).waitFor();
    await drawer.getByText(/The two bodies (are the same|say the same)/).waitFor();
    await page.goto(`${at.stack.url}/deliveries/${first}`);
    await drawer.getByRole('button', { name: 'Copy as curl' }).waitFor();
    expect(await drawer.getByRole('button', { name: 'Compare with previous' }).count()).to.equal(0);
  });
});
