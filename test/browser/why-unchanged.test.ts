import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';

describe('browser: deliveries that changed nothing', () => {
  const at = useBrowser();

  it('shows the nearest event of a not_found, and opens it', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const event = { title: 'Summer fair', starts_at: '2027-03-01T10:00:00Z' };
    const created = await send(source, event);
    await untilLogged(at.stack, owner, created.body.delivery_id as string);
    const body = { action: 'cancel', event: { ...event, location: 'Bonn' } };
    await post(source.endpointUrl, signed({ secret: source.secret, body }));
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByRole('row', { name: /cancel.*Summer fair/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByText('The location is empty, not “Bonn”.').waitFor();
    await drawer.getByRole('link', { name: 'Summer fair' }).click();
    await page.getByRole('dialog', { name: 'Event' }).getByText('Summer fair').first().waitFor();
  });

  it('opens the event of a delivery, and the row of a test request', async () => {
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const page = await at.open(`/events/webhook/${source.id}/test`, owner);
    await page.getByRole('button', { name: /Send a test/ }).click();
    await page.getByRole('link', { name: 'See it in Recent Deliveries' }).click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByRole('link', { name: 'Open event' }).click();
    await page.getByRole('dialog', { name: 'Event' }).waitFor();
  });
});
