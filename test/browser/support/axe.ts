import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Waits for animations, because axe would judge colours in transition. Endless animations are skipped. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished)).then(() => undefined)`;
/** Reports violations only, because details of passed rules take most of the time. */
const RUN = `axe.run({ resultTypes: ['violations'] })`;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: { target: string[]; failureSummary: string }[];
}

/** Returns the serious and critical axe findings of a page, once it has loaded. */
export async function serious(page: Page): Promise<string[]> {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  // Runs through the debugger, because the content security policy blocks scripts.
  await page.evaluate(AXE);
  await page.evaluate(SETTLED);
  const found = await page.evaluate<{ violations: Violation[] }>(RUN);
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
}
