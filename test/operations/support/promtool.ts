import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { isInstalled, ROOT } from '../../docs/support.ts';
import { reportNotRun } from '../../support/report-not-run.ts';

/** The files that state when each alert fires, and when it does not. */
export const RULE_TESTS = [
  'deploy/prometheus/alerts.test.yml',
  'deploy/prometheus/alerts-of-days.test.yml',
] as const;

/** Runs promtool, which must find no fault. */
export function promtool(args: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd: ROOT });
  expect(error, 'promtool could not be run').to.equal(undefined);
  expect(status, stdout + stderr).to.equal(0);
}

/** Not every machine has promtool. A build that requires it must not pass without. */
export function itWithPromtool(title: string, test: () => void): void {
  if (process.env.SLUICE_REQUIRE_PROMTOOL || isInstalled('promtool')) it(title, test);
  else reportNotRun(`"${title}" of the alert rules and the board`, ['promtool']);
}
