import { ROUTES } from '@sluice/dashboard-api/routes';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { addSource, send, untilLogged } from './support/source.ts';

const row = (page: Page) => page.getByRole('row', { name: /Slow line/ });

describe('browser: code that arrives late', () => {
  const at = useBrowser();

  const DIALOGS = [
    [
      'the palette',
      'command-palette',
      (page: Page) => page.keyboard.press('Control+k'),
      (page: Page) => page.getByRole('combobox', { name: /^Go to a page/ }),
    ],
    [
      'the keyboard shortcuts',
      'shortcut-sheet',
      (page: Page) => page.keyboard.press('?'),
      (page: Page) => page.getByRole('dialog').getByText('Keyboard shortcuts'),
    ],
    [
      'a delivery',
      'mantine-dialogs',
      (page: Page) => row(page).click(),
      (page: Page) => page.getByRole('dialog').getByText('Slow line').first(),
    ],
  ] as const;

  it('of a page leaves a frame in view until its style sheets, its scripts and the session are there', async () => {
    const page = await at.open('/settings/profile', await at.stack.person('owner'));
    const frame = page.getByRole('status', { name: 'Loading' }).filter({ hasText: 'Sluice' });
    const holdAll = async (path: string) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(path, async (route) => {
        await held;
        await route.continue();
      });
      return release;
    };
    const releaseFiles = await holdAll('**/assets/*');
    const releaseSession = await holdAll(`**${ROUTES.session.me.path}`);
    await page.goto(`${at.stack.url}/leads`, { waitUntil: 'commit' });
    await frame.waitFor();
    expect(await page.locator('#root > *').count()).to.equal(0);
    releaseFiles();
    await page.locator('#root > *').first().waitFor({ state: 'attached' });
    expect(await frame.count()).to.equal(1);
    releaseSession();
    await page.getByRole('heading', { name: 'Leads', exact: true }).waitFor();
    expect(await frame.count()).to.equal(0);
  });

  it('of a dialog opens it once it is there, and shows nothing in between: the palette, the shortcuts, a delivery', async () => {
    const owner = await at.stack.person('owner');
    const source = await addSource(at.stack, owner);
    const { body } = await send(source, { title: 'Slow line' });
    await untilLogged(at.stack, owner, body.delivery_id);
    const page = await at.open('/settings/profile', owner);
    for (const [what, chunk, open, shown] of DIALOGS) {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const asked: string[] = [];
      const code = new RegExp(`assets/${chunk}-.*\\.js$`);
      await page.route(code, async (route) => {
        asked.push(route.request().url());
        await held;
        await route.continue();
      });
      await page.goto(`${at.stack.url}/events/webhook/${source.id}/deliveries`);
      await row(page).waitFor();
      await open(page);
      expect(await page.getByRole('dialog').count(), `dialogs before ${what}`).to.equal(0);
      expect(await page.locator('[class*=Skeleton]').count(), `placeholders of ${what}`).to.equal(0);
      release();
      await shown(page).waitFor();
      expect(asked, `requests for ${what}`).to.have.length.above(0);
      await page.unroute(code);
    }
  });
});
