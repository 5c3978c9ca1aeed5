import type { KeyCreated, KeyList } from '@sluice/dashboard-api/keys';
import type { WebhookList } from '@sluice/dashboard-api/webhooks';
import { expect } from 'chai';
import { axeFindings } from './support/axe.ts';
import { clipboard, useBrowser } from './support/browser.ts';
import { addKey, fullKeys, statuses } from './support/keys.ts';
import { callAs } from './support/source.ts';
import type { Person } from './support/stack.ts';

const IN_10_DAYS = new Date(Date.now() + 10 * 86_400_000).toISOString();

describe('browser: the rotation of an API key', () => {
  const at = useBrowser();
  /** A public address, so that no name must be resolved. Nothing is sent to it. */
  const subscribe = async (key: string, name: string) => {
    const response = await fetch(`${at.stack.url}/api/public/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ target_url: `https://1.1.1.1/${name}`, events: ['lead.created'], name }),
    });
    expect(response.status, await response.clone().text()).to.equal(201);
  };
  const owned = async (admin: Person) => {
    const { items } = await callAs<WebhookList>(at.stack, admin, 'GET', '/webhooks');
    return items.map(({ name, key, status }) => ({ name, key: key?.id, status }));
  };

  it('lists and moves its webhook subscriptions, and lets both keys work through the overlap', async () => {
    const admin = await at.stack.person('admin');
    const options = { scopes: ['webhooks', 'read:leads'], expires_at: IN_10_DAYS };
    const old = await addKey(at.stack, admin, 'Sync', options);
    await subscribe(old, 'Newsletter');
    const page = await at.open('/settings/api-keys', admin, { width: 390, scheme: 'dark' });
    await page.getByRole('button', { name: 'Rotate Sync' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 webhook subscription of this key').waitFor();
    await dialog.getByRole('listitem').getByText('Newsletter').waitFor();
    await dialog.getByLabel('Old key').selectOption({ label: 'Works for 1 more hour' });
    expect(await axeFindings(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await dialog.getByRole('button', { name: 'Copy key' }).click();
    const key = await clipboard(page);
    await dialog.getByRole('checkbox', { name: 'I saved it' }).check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const replaced = page.getByRole('row', { name: /Sync.*replaced/ });
    await replaced.waitFor();
    expect(await fullKeys(page)).to.have.length(0);
    expect(await statuses([at.stack.url], old), 'the old key').to.deep.equal([200]);
    expect(await statuses([at.stack.url], key), 'the new key').to.deep.equal([200]);

    const { items } = await callAs<KeyList>(at.stack, admin, 'GET', '/keys');
    const [copy, before] = items.filter(({ name }) => name === 'Sync');
    expect(copy).to.deep.include({ scopes: before?.scopes, expires_at: IN_10_DAYS, replaced: false });
    expect(Date.parse(before?.expires_at ?? '')).to.be.closeTo(Date.now() + 3_600_000, 600_000);
    const moved = [{ name: 'Newsletter', key: copy?.key_id, status: 'active' }];
    expect(await owned(admin)).to.deep.equal(moved);

    // The old key is revoked before its end: it has no subscriptions any more.
    await replaced.getByRole('button', { name: 'Revoke Sync' }).click();
    await dialog.getByText('401 Unauthorized').waitFor();
    await dialog.getByText('Looking for its webhook subscriptions').waitFor({ state: 'detached' });
    expect(await dialog.getByRole('listitem').count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('row', { name: /Sync.*revoked/ }).waitFor();
    expect(await statuses([at.stack.url], old)).to.deep.equal([401]);
    expect(await owned(admin)).to.deep.equal(moved);
  });

  it('without an overlap ends the old key at once, and makes one with a later expiry', async () => {
    const admin = await at.stack.person('admin');
    const old = await addKey(at.stack, admin, 'Nightly', { expires_at: IN_10_DAYS });
    const page = await at.open('/settings/api-keys', admin, { width: 360 });
    await page.getByRole('button', { name: 'Rotate Nightly' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Old key').selectOption({ label: 'Stops working now' });
    await dialog.getByText('The next call gets 401').or(dialog.getByText('was never used')).waitFor();
    const years = dialog.getByText('1 year', { exact: true });
    await years.click();
    const { x = 0, width = 0 } = (await years.boundingBox()) ?? {};
    expect(x + width, 'within the window').to.be.at.most(360);
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    await dialog.getByRole('button', { name: 'Copy key' }).waitFor();
    expect(await statuses([at.stack.url], old)).to.deep.equal([401]);
    const { items } = await callAs<KeyList>(at.stack, admin, 'GET', '/keys');
    const [copy] = items.filter(({ name }) => name === 'Nightly');
    const days = (Date.parse(copy?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).to.equal(365);
  });

  it('is refused for a key that another rotation has replaced, with the key that replaces it', async () => {
    const admin = await at.stack.person('admin');
    await addKey(at.stack, admin, 'Twice');
    const keys = await callAs<KeyList>(at.stack, admin, 'GET', '/keys');
    const id = keys.items.find(({ name }) => name === 'Twice')?.key_id;
    const body = { overlap: '24h', expires_at: null };
    const { item } = await callAs<KeyCreated>(at.stack, admin, 'POST', `/keys/${id}/rotate`, body);
    const page = await at.open(`/settings/api-keys?key=${id}`, admin);
    await page.locator('tr:focus').getByRole('button', { name: 'Rotate Twice' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('alert').getByText(item.prefix).waitFor();
  });

  it('is offered instead of a revocation, which lists the webhook subscriptions that stop', async () => {
    const admin = await at.stack.person('admin');
    const key = await addKey(at.stack, admin, 'Shop');
    for (const name of ['Orders', 'Stock']) await subscribe(key, name);
    const page = await at.open('/settings/api-keys', admin);
    await page.getByRole('button', { name: 'Revoke Shop' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 webhook subscriptions of this key stop').waitFor();
    await dialog.getByText('rotate the key instead').waitFor();
    expect(await dialog.getByRole('listitem').allTextContents()).to.have.members(['Orders', 'Stock']);
  });
});
