import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { sized } from '../../support/size.ts';
import { until } from '../../support/until.ts';

const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/**
 * Waits for animations, because axe would judge colours in transition. They start a frame after a change of the look. Endless
 * animations are skipped.
 */
const SETTLED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  .then(() => Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished))).then(() => undefined)`;
/** Reports violations only, because details of passed rules take most of the time. */
const RUN = `axe.run({ resultTypes: ['violations'] })`;
interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: { target: string[]; failureSummary: string }[];
}

/** Returns the axe findings of a page that are not minor, once it has loaded. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  // Runs through the debugger, because the content security policy blocks scripts.
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(AXE);
  await page.evaluate(SETTLED);
  const found = await page.evaluate<{ violations: Violation[] }>(RUN);
  return found.violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
}

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 900 };
const TWO_LOOKS = [
  { ...WIDE, colorScheme: 'light' },
  { ...PHONE, colorScheme: 'dark' },
] as const;
const LOOKS = sized<readonly (typeof WIDE & { colorScheme: 'light' | 'dark' })[]>({
  short: TWO_LOOKS,
  middle: [...TWO_LOOKS, { ...WIDE, colorScheme: 'dark' }, { ...PHONE, colorScheme: 'light' }],
});
/** axe takes most of the time of a check. In the short form it looks once at each page, in another look than at the page before. */
const AXE_IN_EACH = sized({ short: false, middle: true });
let checks = 0;

/** Checks a page as a light one on a wide screen, and as a dark one on a phone: no finding, and no overflow. */
export async function expectSound(page: Page, what = ''): Promise<void> {
  const before = page.viewportSize();
  checks += 1;
  for (const [index, { colorScheme, ...size }] of LOOKS.entries()) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    // The page sets it itself, and its colours change with it.
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    const name = `${what}, ${size.width} px, ${colorScheme}`;
    if (AXE_IN_EACH || index === checks % LOOKS.length) await expectNothingFound(page, name);
    // Content drawn by a script, such as a chart, follows a new width a moment later.
    const fits = async () =>
      (await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) <= 0;
    await until(fits, { what: `no overflow: ${name}` });
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}

async function expectNothingFound(page: Page, name: string): Promise<void> {
  let found: string[] = [];
  const isSound = async () => {
    found = await axeFindings(page);
    return found.length === 0;
  };
  // The colours of rows that are drawn again follow a moment later.
  await until(isSound, { what: name }).catch(() => undefined);
  expect(found, name).to.deep.equal([]);
}
