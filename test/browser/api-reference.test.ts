import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';
import { addKey } from './support/keys.ts';

describe('browser: the API reference', () => {
  const at = useBrowser();

  it('sends a request with an API key, which it keeps nowhere', async () => {
    const owner = await at.stack.person('owner');
    const key = await addKey(at.stack, owner, 'Trial');
    const page = await at.open('/docs');
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.locator('#auth-bearer-value').fill(key);
    await page.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.btn-done').click();
    const operation = page.locator('.opblock', { hasText: '/api/public/automation/me' });
    await operation.getByRole('button').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept + page.url()).not.to.contain(key);
  });
});
