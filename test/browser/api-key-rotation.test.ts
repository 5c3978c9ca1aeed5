import type { KeyList } from '@sluice/dashboard-api/keys';
import { expect } from 'chai';
import { clipboard, useBrowser } from './support/browser.ts';
import { addKey, fullKeys, statuses } from './support/keys.ts';
import { callAs } from './support/source.ts';

const IN_10_DAYS = new Date(Date.now() + 10 * 86_400_000).toISOString();

describe('browser: API keys', () => {
  const at = useBrowser({ apis: 2 });

  it('rotates a key: both keys work until the old one is revoked in the last step', async () => {
    const admin = await at.stack.addPerson('admin');
    const old = await addKey(at.stack, admin, 'Sync', {
      scopes: ['webhooks', 'read:leads'],
      expires_at: IN_10_DAYS,
    });
    const page = await at.open('/settings/api-keys', admin);
    await page.getByRole('button', { name: 'Rotate Sync' }).click();
    await page.getByRole('button', { name: 'Create new key' }).click();
    await page.getByRole('button', { name: 'Copy key' }).click();
    const key = await clipboard(page);
    await page.getByRole('checkbox', { name: 'I saved it' }).check();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('The new key has not been used yet').waitFor();
    expect(await statuses(at.stack.apiUrls, old), 'the old one, before').to.deep.equal([200, 200]);
    expect(await statuses(at.stack.apiUrls, key), 'the new one').to.deep.equal([200, 200]);
    await page.getByText('The new key is in use').waitFor();
    expect(await fullKeys(page)).to.have.length(0);
    await page.getByRole('button', { name: 'Revoke the old key' }).click();
    await page.getByRole('row', { name: /Sync.*revoked/ }).waitFor();
    expect(await statuses(at.stack.apiUrls, old), 'the old one, after').to.deep.equal([401, 401]);
    expect(await statuses(at.stack.apiUrls, key)).to.deep.equal([200, 200]);
    const { items } = await callAs<KeyList>(at.stack, admin, 'GET', '/keys');
    const [copy, gone] = items.filter(({ name }) => name === 'Sync');
    expect(gone?.state).to.equal('revoked');
    expect(copy).to.deep.include({ scopes: gone?.scopes, expires_at: IN_10_DAYS, state: 'active' });
    // Keys that expire within 14 days stand out.
    await page
      .getByRole('row', { name: /Sync.*active/ })
      .locator('[data-soon]')
      .waitFor();
  });

  it('rotates a key that is about to expire into one with a later expiry', async () => {
    const admin = await at.stack.addPerson('admin');
    await addKey(at.stack, admin, 'Nightly', { expires_at: IN_10_DAYS });
    const page = await at.open('/settings/api-keys', admin, { width: 360 });
    await page.getByRole('button', { name: 'Rotate Nightly' }).click();
    const dialog = page.getByRole('dialog');
    const years = dialog.getByText('1 year', { exact: true });
    await years.click();
    const { x = 0, width = 0 } = (await years.boundingBox()) ?? {};
    expect(x + width, 'within the window').to.be.at.most(360);
    await page.getByRole('button', { name: 'Create new key' }).click();
    await page.getByRole('button', { name: 'Copy key' }).waitFor();
    const { items } = await callAs<KeyList>(at.stack, admin, 'GET', '/keys');
    const ends = items.filter(({ name }) => name === 'Nightly').map(({ expires_at }) => expires_at ?? '');
    expect(ends.map((end) => Math.round((Date.parse(end) - Date.now()) / 86_400_000))).to.have.members([
      10, 365,
    ]);
  });
});
