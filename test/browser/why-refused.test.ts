import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from './support/browser.ts';
import { addSource } from './support/source.ts';

/** Each way to break a request in the Test tab: its answer, and what Why must say in the drawer. */
const BROKEN = [
  { break: 'Wrong signature', status: 401, why: /signature/i },
  { break: 'No signature header', status: 401, why: /no .*signature|signature.*missing/i },
  { break: 'Signed six minutes ago', status: 400, why: /\d+ (s|seconds|minutes)|old/i },
  { break: 'Timestamp in milliseconds', status: 400, why: /milliseconds/i },
  { break: 'No title', status: 400, why: /title/i },
  { break: 'A date that does not exist', status: 400, why: /starts_at|date/i },
  { break: 'Broken JSON', status: 400, why: /JSON/ },
];

describe('browser: why a request was refused', () => {
  const at = useBrowser();

  it('each reason has a text and a fix of its own', async function () {
    this.timeout(60_000);
    const owner = await at.stack.addPerson('owner');
    const source = await addSource(at.stack, owner);
    const page = await at.open(`/events/webhook/${source.id}/test`, owner);
    const fixes = new Set<string>();
    for (const [index, broken] of BROKEN.entries()) {
      await page.getByRole('tab', { name: 'Test' }).click();
      await page.getByLabel('Break it').selectOption({ label: broken.break });
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await page.getByText('See it in Recent Deliveries').waitFor();
      expect(await page.locator('main').textContent(), broken.break).to.contain(String(broken.status));
      await page.getByText('See it in Recent Deliveries').click();
      // The header, and a row for each request so far.
      await page
        .getByRole('row')
        .nth(index + 1)
        .waitFor();
      fixes.add(await whyOfNewest(page, broken));
    }
    expect(fixes.size, 'different fixes').to.equal(BROKEN.length);
  });
});

async function whyOfNewest(page: Page, broken: (typeof BROKEN)[number]): Promise<string> {
  await page.getByRole('row').nth(1).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('The fix:').waitFor();
  const text = (await drawer.getByRole('tabpanel').textContent()) ?? '';
  expect(text, broken.break).to.match(broken.why);
  const failed = await drawer.locator('li[data-passed=false]').count();
  expect(failed, `one failed check: ${broken.break}`).to.equal(1);
  expect(await drawer.getByRole('button', { name: 'Reprocess' }).isDisabled()).to.equal(true);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  return text;
}
