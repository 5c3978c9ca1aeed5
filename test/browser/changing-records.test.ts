import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { addDeadLetter } from './support/dead-letter.ts';
import { addLead } from './support/leads.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';

describe('browser: a drawer whose record changes meanwhile', () => {
  const at = useBrowser();

  it('shows that a dead letter was applied by a retry, and the request in place of the reason', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const id = await addDeadLetter(at.stack, source, 'Applied by a retry');
    await untilLogged(at.stack, owner, id);
    const page = await at.open(`/deliveries?delivery=${id}`, owner);
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByRole('tab', { name: 'Why', selected: true }).waitFor();
    await callAs(at.stack, owner, 'POST', `/ops/dead-letters/${id}/retry`);
    await drawer.getByRole('tab', { name: 'Request', selected: true }).waitFor();
    await drawer.getByText('created', { exact: true }).first().waitFor();
    expect(await drawer.getByRole('tabpanel').textContent()).to.not.equal('');
  });

  it('names the delivery of an edit that is not applied, and shows the event once it is', async function () {
    this.timeout(120_000);
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Before the move' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open('/events?q=before', owner);
    await page.getByRole('row', { name: /Before the move/ }).click();
    const [path = ''] = ROUTES.events.show.path.split(':');
    const before = new URL(page.url()).searchParams.get('event') ?? '';
    let isLate = true;
    await page.route(
      ({ pathname }) => /^evt_\w+$/.test(pathname.slice(path.length)) && !pathname.endsWith(before),
      (route) =>
        isLate
          ? route.fulfill({ status: 404, json: { code: 'not_found', title: 'Not found', detail: '' } })
          : route.fallback(),
    );
    await page.getByRole('button', { name: 'Edit event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “Before the move”' });
    await dialog.getByLabel('Title').fill('After the move');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByText('it is not applied yet').waitFor();
    await drawer.getByRole('link', { name: /^dlv_/ }).waitFor();
    isLate = false;
    await drawer.getByText('After the move', { exact: true }).first().waitFor();
  });

  it('marks a lead that was erased as not up to date', async () => {
    const owner = await at.stack.person('owner');
    const lead = await addLead(at.stack, owner, { name: 'Forget me' });
    const page = await at.open(`/leads?lead=${lead.id}`, owner);
    const drawer = page.getByRole('dialog', { name: 'Lead', exact: true });
    await drawer.getByText('Forget me').first().waitFor();
    await callAs(at.stack, owner, 'DELETE', `/leads/${lead.id}`);
    await drawer
      .getByText(/^Not up to date: /)
      .first()
      .waitFor();
  });

  it('keeps edits of an event that another user changed meanwhile, on the new version', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const event = {
      title: 'Two editors',
      starts_at: '2031-05-01T20:00:00Z',
      location: 'Hall',
      price: '10 EUR',
    };
    const { body } = await send(source, event);
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open('/events?q=editors', owner);
    await page.getByRole('row', { name: /Two editors/ }).click();
    await page.getByRole('button', { name: 'Edit event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit “Two editors”' });
    await dialog.getByLabel('Description').fill('Typed with care');
    const again = await send(source, { ...event, price: '14 EUR' });
    await untilLogged(at.stack, owner, again.body.delivery_id);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.getByRole('button', { name: 'Reload it and keep my changes' }).click();
    await until(async () => (await dialog.getByLabel('Price').inputValue()) === '14 EUR');
    expect(await dialog.getByLabel('Description').inputValue()).to.equal('Typed with care');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByText('Typed with care').first().waitFor();
    await drawer.getByText('14 EUR').first().waitFor();
  });
});
