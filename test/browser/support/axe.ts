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
/** Content drawn by a script, such as a chart, follows a new width a moment later. */
const SETTLED_MS = 15_000;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: { target: string[]; failureSummary: string }[];
}

/** Returns the serious and critical axe findings of a page, once it has loaded. */
export async function serious(page: Page): Promise<string[]> {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  // Runs through the debugger, because the content security policy blocks scripts.
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(AXE);
  await page.evaluate(SETTLED);
  const found = await page.evaluate<{ violations: Violation[] }>(RUN);
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
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

/** Checks a page as a light one on a wide screen, and as a dark one on a phone: no serious finding, and no overflow. */
export async function expectSound(page: Page, what = ''): Promise<void> {
  const before = page.viewportSize();
  for (const { colorScheme, ...size } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    // The page sets it itself, and its colours change with it.
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    const name = `${what}, ${size.width} px, ${colorScheme}`;
    let found: string[] = [];
    const isSound = async () => {
      found = await serious(page);
      return found.length === 0;
    };
    // The colours of rows that are drawn again follow a moment later too.
    await until(isSound, { withinMs: SETTLED_MS, what: name }).catch(() => undefined);
    expect(found, name).to.deep.equal([]);
    const fits = async () =>
      (await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')) <= 0;
    await until(fits, { withinMs: SETTLED_MS, what: `no overflow: ${name}` });
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}
