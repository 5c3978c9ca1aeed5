import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { timed } from '../support/timed.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, send } from './support/source.ts';

const WITHIN_MS = 2000;

const expectSoon = async (what: Locator) =>
  expect((await timed(() => what.waitFor())).ms).to.be.below(WITHIN_MS);

describe('browser: Recent Deliveries live', () => {
  const at = useBrowser();

  it('shows a new delivery within 2 seconds, without reload; Pause holds it back and counts it', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByText('Live', { exact: true }).waitFor();

    expect((await send(source, { title: 'Comes by itself' })).status).to.equal(200);
    await expectSoon(page.getByRole('row', { name: /Comes by itself/ }));

    await page.getByRole('button', { name: 'Pause' }).click();
    await send(source, { title: 'Held back one' });
    await send(source, { title: 'Held back two' });
    await expectSoon(page.getByRole('button', { name: '2 new' }));
    expect(await page.getByRole('row', { name: /Held back/ }).count()).to.equal(0);

    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('row', { name: /Held back one/ }).waitFor();
    await page.getByRole('row', { name: /Held back two/ }).waitFor();
    const titles = await page.getByRole('row').allInnerTexts();
    expect(titles.slice(1).map((text) => /(one|two|itself)/.exec(text)?.[1])).to.deep.equal([
      'two',
      'one',
      'itself',
    ]);
  });

  it('shows a refused one too, and keeps what a filter leaves out away', async () => {
    const owner = await at.stack.addPerson('admin');
    const source = await addSource(at.stack, owner);
    const page = await at.open(`/events/webhook/${source.id}/deliveries?status_class=4xx`, owner);
    await page.getByText('Live', { exact: true }).waitFor();
    await send(source, { title: 'Accepted' });
    await send(source, {}, 'whsec_wrong');
    await expectSoon(page.getByRole('row', { name: /signature invalid/ }));
    expect(await page.getByRole('row', { name: /Accepted/ }).count()).to.equal(0);
  });
});
