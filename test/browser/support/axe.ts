import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axePath = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds on a page as it stands that is serious or critical. */
export async function serious(page: Page): Promise<string[]> {
  // Given as text to the debugger, as the page's security policy lets no script in.
  await page.evaluate(await readFile(axePath, 'utf8'));
  const found = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
}
