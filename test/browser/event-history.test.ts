import type { EventPage } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { axeFindings } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, callAs, send, untilLogged } from './support/source.ts';

describe('browser: the history of an event', () => {
  const at = useBrowser();

  it('shows the changes of each delivery, marks unknown ones, and fits a phone', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const identity = { title: 'Open day', starts_at: '2030-03-01T18:00:00Z' };
    const keep = (body_storage: string) =>
      callAs(at.stack, owner, 'PATCH', `/sources/${source.id}`, { body_storage });
    const sent = async (event: object, action = 'upsert'): Promise<string> => {
      const body = { action, event: { ...identity, ...event } };
      const { body: answer } = await post(source.endpointUrl, signed({ secret: source.secret, body }));
      await untilLogged(at.stack, owner, answer.delivery_id);
      return answer.delivery_id;
    };
    const created = await sent({ price: 'Free', description: 'Come and see' });
    const priced = await sent({ price: '12 EUR', description: 'Come and see' });
    const cancelled = await sent({}, 'cancel');
    await keep('none');
    const unkept = await sent({ price: '14 EUR' });
    await keep('all');
    const after = await sent({ price: '15 EUR' });
    const deleted = await sent({}, 'delete');
    const back = await sent({ url: 'https://example.com/open-day' });

    const { items } = await callAs<EventPage>(at.stack, owner, 'GET', `/events?source_id=${source.id}`);
    const page = await at.open(`/events?event=${items[0]?.event_id}`, owner, { width: 360, scheme: 'dark' });
    const drawer = page.getByRole('dialog', { name: 'Event' });
    const entry = (id: string) => drawer.locator(`[data-delivery="${id}"]`);

    await entry(priced).getByText('Changed price').waitFor();
    expect(await entry(priced).locator('del').allTextContents()).to.deep.equal(['Free']);
    expect(await entry(priced).locator('ins').allTextContents()).to.deep.equal(['12 EUR']);
    expect(await entry(cancelled).locator('del, ins').allTextContents()).to.deep.equal([
      'upcoming',
      'cancelled',
    ]);
    await entry(unkept).getByText('The body of this delivery was not stored').waitFor();
    expect(await entry(unkept).locator('dl').count()).to.equal(0);
    await entry(after).getByText('The previous content is unknown: the body of an earlier').waitFor();
    await entry(deleted).getByText('Deleted with status and price').waitFor();

    const whole = entry(created).getByText('Created with status, description and price');
    expect(await entry(created).locator('ins').first().isVisible(), 'collapsed at first').to.equal(false);
    await whole.click();
    await entry(created).getByText('Come and see').waitFor();
    await entry(back).getByText('Restored with status and URL').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    expect(await axeFindings(page)).to.deep.equal([]);
  });

  it('adds a delivery that arrives while the drawer is open', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Fair', price: 'Free' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const { items } = await callAs<EventPage>(at.stack, owner, 'GET', `/events?source_id=${source.id}`);
    const page = await at.open(`/events?event=${items[0]?.event_id}`, owner);
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByText('Created with').waitFor();
    await send(source, { title: 'Fair', price: '12 EUR' });
    await drawer.locator('del').getByText('Free').waitFor();
  });
});
