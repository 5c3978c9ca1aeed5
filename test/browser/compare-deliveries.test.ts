import { expect } from 'chai';
import { post } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { clipboard, useBrowser } from './support/browser.ts';
import { addSource, untilLogged } from './support/source.ts';

describe('browser: comparing a delivery with the previous one', () => {
  const at = useBrowser();

  it('shows the differences between two deliveries of an event, and opens the previous one', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const ids: string[] = [];
    // The spaces keep the second delivery from being a duplicate.
    for (const [price, spaces] of [
      ['Free', 0],
      ['Free', 1],
      ['12 EUR', 0],
    ] as const) {
      const event = upsertBody({ title: 'Open day', price, url: 'https://example.com/open-day' });
      const sent = signed({ secret: source.secret, body: JSON.stringify(event, null, spaces) });
      const { body } = await post(source.endpointUrl, sent);
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
    await changed.getByRole('button', { name: first }).waitFor();
    await changed.getByText('The two bodies have the same content. Only spaces').waitFor();
    await page.goto(`${at.stack.url}/deliveries/${first}`);
    await drawer.getByRole('button', { name: 'Copy as curl' }).waitFor();
    expect(await drawer.getByRole('button', { name: 'Compare with previous' }).count()).to.equal(0);
  });
});
