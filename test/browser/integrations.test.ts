import { expect } from 'chai';
import { expectSound } from './support/axe.ts';
import { clipboard, useBrowser } from './support/browser.ts';

const PLATFORMS = ['n8n', 'Zapier', 'Make', 'Node-RED', 'Code'];

/** test/browser/webhooks.test.ts shows what is connected. */
describe('browser: integrations', () => {
  const at = useBrowser();

  it('explain each platform in five steps, with the address of this installation to copy, to viewers too', async () => {
    const page = await at.open('/', await at.stack.addPerson('owner'));
    await page.getByRole('link', { name: 'Integrations' }).click();
    const choose = (platform: string) =>
      page.getByRole('radiogroup', { name: 'Platform' }).getByText(platform, { exact: true }).click();
    for (const name of PLATFORMS) {
      await choose(name);
      const steps = page.getByRole('list', { name: `Connect ${name}` });
      await steps.waitFor();
      expect(await steps.locator('> li').count(), name).to.equal(5);
      expect(await steps.textContent(), name).to.contain(at.stack.url);
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
    }
    await expectSound(page, 'the last platform');
    await choose('n8n');
    await page.getByRole('button', { name: 'Copy Base URL' }).click();
    expect(await clipboard(page)).to.equal(at.stack.url);

    const viewers = await at.open('/settings/integrations', await at.stack.addPerson('viewer'));
    await viewers.getByRole('list', { name: 'Connect n8n' }).waitFor();
    await viewers.getByText('Only owners and admins can connect a platform.').waitFor();
    expect(await viewers.getByRole('heading', { name: 'Connected' }).count()).to.equal(0);
  });
});
