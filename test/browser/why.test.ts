import type { Delivery } from '@sluice/contract/delivery/delivery';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { delivery } from '../store/support.ts';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';
import { useBrowser } from './support/browser.ts';
import { addSource, send, type TestSource, untilLogged } from './support/source.ts';
import type { Person } from './support/stack.ts';

/** Rejections as the log has them. test/ingress and test/signature cover what the ingress decides and why. */
const REJECTED: readonly (Partial<Delivery> & { readonly shown: RegExp })[] = [
  {
    http_status: 415,
    code: 'unsupported_media_type',
    shown: /415 unsupported_media_type.*The fix: Send the header Content-Type: application\/json/,
  },
  {
    http_status: 401,
    code: 'signature_missing',
    reason: 'X-Service-Signature is missing.',
    shown: /X-Service-Signature is missing.*The fix:/,
  },
  {
    http_status: 403,
    code: 'plan_limit_reached',
    reason: 'The account is over its plan’s limit of upserts for this calendar month.',
    shown: /its plan’s limit of upserts.*The fix: Move to a larger plan/,
  },
  {
    http_status: 429,
    code: 'rate_limited',
    reason: 'The source is over its rate.',
    shown: /over its rate.*The fix: Let the sender wait/,
  },
  {
    http_status: 403,
    code: 'source_inactive',
    reason: 'The source is switched off.',
    shown: /switched off.*The fix: Switch the source on/,
  },
];

describe('browser: why a delivery was rejected or changed nothing', () => {
  const at = useBrowser();
  let owner: Person;
  let source: TestSource;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    source = await addSource(at.stack, owner);
  });
  const drawerOf = (page: Page) => page.getByRole('dialog', { name: 'Delivery' });

  it('is the first tab of a rejected delivery, with its reason, its fix and the failed check', async () => {
    const rows = REJECTED.map(({ shown, ...row }, index) => ({
      shown,
      row: delivery({
        delivery_id: `dlv_why${index}${source.id}`,
        source_id: source.id,
        account_id: at.stack.accountId,
        received_at: Date.now() - index,
        outcome: 'rejected',
        sequence: null,
        event_id: null,
        ...row,
      }),
    }));
    await at.stack.insertDeliveries(rows.map(({ row }) => row));
    const page = await at.open('/', owner);
    const drawer = drawerOf(page);
    for (const { row, shown } of rows) {
      await page.goto(`${at.stack.url}/deliveries/${row.delivery_id}`);
      await drawer.getByText('The fix:').waitFor();
      const tab = drawer.getByRole('tab', { name: 'Why' });
      expect(await tab.getAttribute('aria-selected'), row.code ?? '').to.equal('true');
      expect(await drawer.getByRole('tabpanel').textContent()).to.match(shown);
      expect(await drawer.locator('li[data-passed=false]').count(), `failed checks: ${row.code}`).to.equal(1);
      const reprocess = drawer.getByRole('button', { name: 'Reprocess', exact: true });
      expect(await reprocess.isDisabled(), row.code ?? '').to.equal(true);
      const unchecked = drawer.getByText('it was rejected before its signature was checked');
      const isEarly = row.code === 'unsupported_media_type' || row.code === 'signature_missing';
      expect(await unchecked.count(), row.code ?? '').to.equal(isEarly ? 1 : 0);
    }
  });

  it('is found by the request id of a rejected request, from any page and from the search of a list', async () => {
    const { body } = await send(source, {}, 'whsec_another');
    const page = await at.open(`/events/webhook/${source.id}/deliveries?outcome=rejected`, owner);
    await page.getByRole('row', { name: /signature invalid/ }).waitFor();
    await page.goto(`${at.stack.url}/settings/api-keys`);
    await page.getByRole('button', { name: /Go to/ }).click();
    await page.getByRole('combobox').fill(` ${body.request_id} `);
    await page.keyboard.press('Enter');
    const why = drawerOf(page).getByText('current signing secret');
    await why.first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Search in titles').fill(body.request_id);
    await page.getByRole('link', { name: 'Open the delivery with this id' }).click();
    await why.first().waitFor();
    await page.goto(`${at.stack.url}/deliveries/req_nobody`);
    await page.getByText('A request id finds rejected requests only').waitFor();
    await page.goto(`${at.stack.url}/deliveries/dlv_ofsomebodyelse`);
    await page.getByText('No delivery of this account has this id').waitFor();
  });

  it('names the nearest event of a not_found and opens it, as it opens the event of a test request', async () => {
    const event = { title: 'Summer fair', starts_at: '2027-03-01T10:00:00Z' };
    const created = await send(source, event);
    await untilLogged(at.stack, owner, created.body.delivery_id);
    const body = { action: 'cancel', event: { ...event, location: 'Bonn' } };
    await post(source.endpointUrl, signed({ secret: source.secret, body }));
    const page = await at.open(`/events/webhook/${source.id}/deliveries`, owner);
    await page.getByRole('row', { name: /cancel.*Summer fair/ }).click();
    await drawerOf(page).getByText('The location is empty, not “Bonn”.').waitFor();
    await drawerOf(page).getByRole('link', { name: 'Summer fair' }).click();
    await page.getByRole('dialog', { name: 'Event' }).getByText('Summer fair').first().waitFor();

    await page.goto(`${at.stack.url}/events/webhook/${source.id}/test`);
    await page.getByRole('button', { name: /Send a test/ }).click();
    await page.getByRole('link', { name: 'See it in Recent Deliveries' }).click();
    await drawerOf(page).getByRole('link', { name: 'Open event' }).click();
    await page.getByRole('dialog', { name: 'Event' }).waitFor();
  });
});
