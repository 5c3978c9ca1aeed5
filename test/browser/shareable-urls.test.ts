import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { delivery } from '../store/support.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';

describe('browser: addresses that can be shared', () => {
  const at = useBrowser();

  it('filters survive a reload and a pasted address; Back closes the drawer; the focus returns to the row', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    await send(source, { title: 'Jazz night' });
    await send(source, { title: 'Open day' });
    await send(source, {}, 'whsec_wrong');
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByRole('row', { name: /Jazz night/ }).waitFor();

    await page.getByLabel('Search in titles').fill('jazz');
    await page.getByLabel('Action', { exact: true }).selectOption('upsert');
    await page.getByRole('row', { name: /Open day/ }).waitFor({ state: 'detached' });
    await page.waitForURL(/title=jazz/);
    const address = page.url();
    expect(address).to.contain('action=upsert');
    await page.reload();
    await page.getByRole('row', { name: /Jazz night/ }).waitFor();
    expect(await page.getByRole('row').count()).to.equal(2);
    const pasted = await at.open(address.slice(at.stack.url.length), owner);
    await pasted.getByRole('row', { name: /Jazz night/ }).waitFor();
    expect(await pasted.getByRole('row').count()).to.equal(2);
    await page.getByRole('button', { name: 'Remove filter: upsert' }).waitFor();

    const row = page.getByRole('row', { name: /Jazz night/ });
    await row.click();
    await page.getByRole('dialog').getByText('Delivery id').waitFor();
    const opened = page.url();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).to.equal(address);
    expect(
      await row.evaluate((element) => element === element.ownerDocument.activeElement),
      'focus',
    ).to.equal(true);

    await page.goto(opened);
    await page.getByRole('dialog').getByText('Delivery id').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('row', { name: /Open day/ }).waitFor();
  });

  it('times that were chosen in a chart are not taken for the last hour or days, and another choice replaces both ends', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    await send(source, { title: 'Of today' });
    const times = 'from=2026-01-01T00:00:00.000Z&to=2026-01-02T00:00:00.000Z';
    const page = await at.open(`/events/webhook/${source.id}/deliveries?${times}`, owner);
    await page.getByText('No matching deliveries').waitFor();
    const time = page.getByLabel('Time', { exact: true });
    expect(await time.locator('option:checked').textContent()).to.equal('Custom range');
    await time.selectOption('Last 7 days');
    await page.getByRole('row', { name: /Of today/ }).waitFor();
    expect(await time.inputValue()).to.equal('168');
    expect(await page.getByRole('button', { name: /^Remove filter: until/ }).count()).to.equal(0);
  });

  it('rows of another day are told apart by their time, on a phone too', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const received_at = Date.now() - 4 * 86_400_000;
    const row = { delivery_id: `dlv_old${source.id}`, source_id: source.id, account_id: at.stack.accountId };
    await at.stack.insertDeliveries([delivery({ ...row, received_at, title: 'Old' })]);
    for (const width of [1440, 360]) {
      const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner, { width });
      const shown = page.getByRole('row', { name: /Old/ });
      const time = await shown.getByText(/^\d+ \w+, \d\d:\d\d$/).boundingBox();
      const action = await shown.getByRole('cell', { name: 'upsert' }).evaluate((cell) => {
        // Whatever room is left before it.
        const text = cell.ownerDocument.createRange();
        text.selectNodeContents(cell);
        return text.getBoundingClientRect().x;
      });
      expect((time?.x ?? 0) + (time?.width ?? 0), `${width} px: beside the action`).to.be.at.most(action);
    }
  });

  it('Back closes an event too, and stays on the list with its search; the focus returns to the row', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Night of museums' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open('/', owner);
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByLabel('Search in title and location').fill('museums');
    await page.waitForURL(/q=museums/);
    const address = page.url();
    const row = page.getByRole('row', { name: /Night of museums/ });
    const drawer = page.getByRole('dialog', { name: 'Event' });
    const isFocused = () => row.evaluate((element) => element === element.ownerDocument.activeElement);
    for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await row.click();
      await drawer.getByText('Deliveries of this event').waitFor();
      await close();
      await drawer.waitFor({ state: 'detached' });
      expect(page.url()).to.equal(address);
      expect(await isFocused(), 'focus').to.equal(true);
    }
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('what is listed can be saved as a file, with the filters that are set', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    for (const title of ['Jazz night', '=1+1 jazz', 'Open day']) await send(source, { title });
    const page = await at.open(`/events/webhook/${source.id}/deliveries?title=jazz`, owner);
    await page.getByRole('row', { name: /Jazz night/ }).waitFor();
    const saved = async (format: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: `Export as ${format}` }).click(),
      ]);
      expect(download.suggestedFilename()).to.match(new RegExp(`^deliveries-.*\\.${format.toLowerCase()}$`));
      return await readFile(await download.path(), 'utf8');
    };
    const csv = await saved('CSV');
    expect(csv.trimEnd().split('\r\n')).to.have.length(3);
    expect(csv).to.contain(`,'=1+1 jazz,`);
    const titles = (await saved('NDJSON'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).title);
    expect(titles).to.deep.equal(['=1+1 jazz', 'Jazz night']);
  });

  it('a delivery has a link of its own, and a strange one leads nowhere', async () => {
    const owner = await at.stack.addPerson('admin');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Linked' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open('/', owner);
    await page.goto(`${at.stack.url}/deliveries/${body.delivery_id}`);
    await page.getByRole('dialog').getByText('Linked').first().waitFor();
    await page.goto(`${at.stack.url}/deliveries/dlv_ofsomebodyelse`);
    await page.getByText('No delivery of this account has this id').waitFor();
  });
});
