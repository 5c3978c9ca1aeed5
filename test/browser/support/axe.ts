import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** Colours on their way to others would be judged as they are half-way. What goes round for ever is not waited for. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished)).then(() => undefined)`;
/** What passed is looked at no closer: that takes most of the time. */
const RUN = `axe.run({ resultTypes: ['violations'] })`;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds on a page, once all of it is there, that is serious or critical. */
export async function serious(page: Page): Promise<string[]> {
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  // Given as text to the debugger, as the page's security policy lets no script in.
  await page.evaluate(AXE);
  await page.evaluate(SETTLED);
  const found = await page.evaluate<{ violations: Violation[] }>(RUN);
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
}
