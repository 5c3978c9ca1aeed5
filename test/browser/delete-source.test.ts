import { expect } from 'chai';
import { expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';

describe('browser: deleting a source', () => {
  const at = useBrowser();

  it('names what becomes of events and log, and marks events that are kept', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const title = 'Kept event';
    const { body } = await send(source, { title });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open(`/events/webhook/${source.id}/settings`, owner);
    await page.getByRole('button', { name: 'Delete source' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete “${source.name}”?` });
    await dialog.getByText('What becomes of its 1 event').waitFor();
    await dialog.getByText('404 Source not found').waitFor();
    await dialog.getByText('Its deliveries stay in the log until they expire').waitFor();
    await expectSound(page, 'the dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete source' });
    expect(await confirm.isDisabled(), 'before the name is typed').to.equal(true);
    await dialog.getByLabel('Type the name of the source to confirm').fill(source.name);
    await confirm.click();
    await page.getByText(`Deleted “${source.name}”.`).waitFor();
    await page.getByRole('heading', { name: 'Webhook' }).waitFor();
    await page.getByRole('link', { name: source.name, exact: true }).waitFor({ state: 'detached' });
    expect((await send(source)).status).to.equal(404);
    await page.goto(`${at.stack.url}/events?when=all`);
    await page.getByRole('row').filter({ hasText: title }).getByText('deleted source').waitFor();
    await page.goto(`${at.stack.url}/deliveries/${body.delivery_id}`);
    await page.getByRole('dialog', { name: 'Delivery' }).getByText(title).first().waitFor();
    // The log of all sources.
    await page.waitForURL(({ pathname }) => pathname === '/deliveries');
  });

  it('is not offered to a viewer', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const viewer = await at.stack.person('viewer');
    const page = await at.open(`/events/webhook/${source.id}/settings`, viewer);
    await page.getByText('About this source').waitFor();
    expect(await page.getByRole('button', { name: 'Delete source' }).count()).to.equal(0);
  });
});
