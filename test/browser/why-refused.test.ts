import type { DeliveryItem, DeliveryPage } from '@sluice/dashboard-api/deliveries';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { useBrowser } from './support/browser.ts';
import { REFUSED } from './support/refusals.ts';
import { addSource, callAs, send, type TestSource } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: why a request was rejected', () => {
  // The plan of every account is small enough to reach its limit.
  const at = useBrowser({ env: { PLANS: 'unlimited:1' } });
  let owner: Person;
  let source: TestSource;
  before(async () => {
    owner = await at.stack.addPerson('owner');
    source = await addSource(at.stack, owner);
  });

  it('explains each kind of bad request with a separate text and a fix', async function () {
    this.timeout(240_000);
    const page = await at.open('/', owner);
    const texts = new Set<string>();
    for (const { name, status, code, why, request } of REFUSED) {
      const { method = 'POST', headers = {}, body = null } = request(source);
      const response = await fetch(source.endpointUrl, {
        method,
        headers,
        body: body && new Uint8Array(body),
      });
      const answer = (await response.json()) as { code: string; request_id: string };
      expect([response.status, answer.code], name).to.deep.equal([status, code]);
      texts.add(await whyOf(page, name, await logged(code, answer.request_id), why));
      expect(await page.getByRole('button', { name: 'Reprocess', exact: true }).isDisabled(), name).to.equal(
        true,
      );
    }
    expect(texts.size, 'different texts').to.equal(REFUSED.length);
  });

  it('explains a rate limit, a used-up plan and an inactive source', async function () {
    this.timeout(240_000);
    const page = await at.open('/', owner);
    expect((await send(source)).status, 'the one upsert that the plan allows').to.equal(200);
    const overPlan = await send(source);
    expect(overPlan.status).to.equal(403);
    await whyOf(
      page,
      'plan',
      await logged('plan_limit_reached', overPlan.body.request_id),
      /its plan's limit of upserts for this calendar month.*The fix: Move to a larger plan/,
    );

    const slow = { rate_per_second: 1, rate_burst: 1 };
    await callAs(at.stack, owner, 'PATCH', `/sources/${source.id}`, slow);
    await until(async () => (await send(source)).status === 429, { what: 'the source is over its rate' });
    await whyOf(page, 'rate', await logged('rate_limited'), /over its rate.*The fix: Let the sender wait/);

    await callAs(at.stack, owner, 'PUT', `/sources/${source.id}/active`, { active: false });
    const inactive = await send(source);
    expect(inactive.status).to.equal(403);
    await whyOf(
      page,
      'inactive',
      await logged('source_inactive', inactive.body.request_id),
      /switched off.*The fix: Switch the source on/,
    );
  });

  it('finds the reason by the request id of a rejected request, from any page and from the search of a list', async () => {
    const { body } = await send(source, {}, 'whsec_another');
    await logged('signature_invalid', body.request_id);
    const page = await at.open('/settings/api-keys', owner);
    await page.getByRole('button', { name: /Go to/ }).click();
    await page.getByRole('combobox').fill(` ${body.request_id} `);
    await page.keyboard.press('Enter');
    const why = page.getByRole('dialog', { name: 'Delivery' }).getByText('current signing secret');
    await why.first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Search in titles').fill(body.request_id);
    await page.getByRole('link', { name: 'Open the delivery with this id' }).click();
    await why.first().waitFor();
    await page.goto(`${at.stack.url}/deliveries/req_nobody`);
    await page.getByText('A request id finds rejected requests only').waitFor();
  });

  /** Waits for the row of a rejected request. */
  async function logged(code: string, requestId?: string): Promise<DeliveryItem> {
    let found: DeliveryItem | undefined;
    await until(
      async () => {
        const path = `/deliveries?source_id=${source.id}&code=${code}`;
        const { items } = await callAs<DeliveryPage>(at.stack, owner, 'GET', path);
        found = items.find((item) => requestId === undefined || item.request_id === requestId);
        return found !== undefined;
      },
      { what: `a row with ${code} is in the log` },
    );
    return found as DeliveryItem;
  }

  async function whyOf(page: Page, name: string, row: DeliveryItem, why: RegExp): Promise<string> {
    await page.goto(`${at.stack.url}/deliveries/${row.delivery_id}`);
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByText('The fix:').waitFor();
    expect(await drawer.getByRole('tab', { name: 'Why' }).getAttribute('aria-selected'), name).to.equal(
      'true',
    );
    const text = (await drawer.getByRole('tabpanel').textContent()) ?? '';
    expect(text, name).to.match(why);
    expect(await drawer.locator('li[data-passed=false]').count(), `one failed check: ${name}`).to.equal(1);
    return text;
  }
});
