import { expect } from 'chai';
import { useBrowser } from './support/browser.ts';

describe('browser: an installation with a name', () => {
  const at = useBrowser({ env: { ENVIRONMENT_NAME: 'staging' } });

  it('shows the name on every page, wide or narrow', async () => {
    const page = await at.open('/', await at.stack.addPerson('viewer'));
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('banner').getByText('staging', { exact: true }).waitFor();
      const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
      expect(wide, `no horizontal scrolling at ${width}`).to.equal(false);
    }
  });
});
