import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { axeFindings, expectSound } from './support/axe.ts';
import { useBrowser } from './support/browser.ts';
import { fillConversations } from './support/fill-conversations.ts';
import { addLead } from './support/leads.ts';
import { addSource, callAs, send } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: accessibility', () => {
  const at = useBrowser();
  let owner: Person;
  let paths: string[];
  let deliveries: string;
  before(async () => {
    owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    await send(source, { title: 'Open day' });
    await send(source, { title: 'Open day', price: '12 EUR' });
    await callAs(at.stack, owner, 'POST', '/keys', { name: 'CRM', scopes: ['webhooks'] });
    await send(source, {}, 'whsec_wrong');
    const lead = { name: 'Ada', tags: ['fair'], fields: { Budget: 5, Newsletter: true } };
    const { id: leadId } = await addLead(at.stack, owner, lead);
    const page = `/events/webhook/${source.id}`;
    deliveries = `${page}/deliveries`;
    paths = [
      '/',
      '/events',
      '/events/import',
      '/events/webhook',
      `${page}/setup`,
      deliveries,
      '/deliveries',
      `${page}/test`,
      `${page}/settings`,
    ];
    paths.push('/leads', `/leads?lead=${leadId}`, '/leads?new=lead', '/leads/import', '/settings/pipeline');
    paths.push(
      '/settings/api-keys',
      '/settings/members',
      '/settings/audit-log',
      '/settings/profile',
      '/ops',
      '/nothing',
    );
    const { channelId, conversations } = await fillConversations(at.stack, owner);
    paths.push(
      '/conversations',
      ...Object.values(conversations).map((id) => `/conversations/${id}`),
      '/settings/channels',
      ...['setup', 'deliveries', 'settings'].map((tab) => `/settings/channels/${channelId}/${tab}`),
    );
  });

  it('has no axe findings but minor ones and no overflow on any page, wide and light or narrow and dark', async function () {
    this.timeout(600_000);
    const page = await at.open('/', owner);
    for (const path of paths) {
      await page.goto(at.stack.url + path);
      await page.locator('h1').waitFor();
      await expectSound(page, path);
    }
    await page.goto(at.stack.url + deliveries);
    await page.getByRole('row', { name: /signature/ }).click();
    await page.getByText('The fix:').waitFor();
    await expectSound(page, 'drawer');
    await page.goto(`${at.stack.url}${deliveries}?outcome=updated`);
    await page.getByRole('row', { name: /Open day/ }).click();
    await page.getByRole('button', { name: 'Compare with previous' }).click();
    await page.locator('ins').first().waitFor();
    await expectSound(page, 'comparison');
    await page.goto(`${at.stack.url}/settings/api-keys`);
    await page.getByRole('button', { name: 'Rotate CRM' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).waitFor();
    await expectSound(page, 'rotation of a key');
  });

  it('marks the selection and the chart colours in a contrast theme without backgrounds', async () => {
    const page = await at.open('/', owner);
    await page.emulateMedia({ forcedColors: 'active' });
    const chosen = page.locator('label[data-active]', { hasText: '1 h' });
    expect((await styleOf(chosen)).outlineStyle, 'range').to.equal('solid');
    const nav = page.getByRole('link', { name: 'Overview', exact: true });
    expect((await styleOf(nav)).outlineStyle, 'navigation').to.equal('solid');
    const swatch = page.getByText('200 accepted').locator('[aria-hidden]');
    expect((await styleOf(swatch)).forcedColorAdjust).to.equal('none');
    await page.goto(at.stack.url + deliveries);
    const [tab, other] = [
      page.getByRole('tab', { name: 'Recent Deliveries' }),
      page.getByRole('tab', { name: 'Test' }),
    ];
    expect((await styleOf(tab)).borderBottomWidth, 'tab').not.to.equal(
      (await styleOf(other)).borderBottomWidth,
    );
  });

  it('has no axe findings but minor ones on the sign-in page', async () => {
    const page = await at.open('/sign-in');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await axeFindings(page)).to.deep.equal([]);
  });
});

function styleOf(locator: Locator): Promise<Record<string, string>> {
  return locator.evaluate((element) => {
    const { outlineStyle, borderBottomWidth, forcedColorAdjust } = getComputedStyle(element);
    return { outlineStyle, borderBottomWidth, forcedColorAdjust };
  });
}
