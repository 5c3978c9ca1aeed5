import { type Browser, chromium } from 'playwright-core';
import { atTheEndOfTheProcess } from '../../support/at-the-end.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { ofTheRun } from '../../support/of-the-run.ts';

const ARGS = ['--no-sandbox', '--disable-dev-shm-usage'];
const shared = ofTheRun('browser', (): { starting?: Promise<Browser> } => ({}));

/**
 * Returns the shared Chromium of this process. Starting one costs more than most tests. Tests use separate contexts, which
 * share no cookie, storage or cache. After a crash, a new one starts.
 */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await shared.starting;
  return browser?.isConnected() ? browser : launch();
}

async function launch(): Promise<Browser> {
  const executablePath = await chromiumPath();
  const launched = chromium.launch({ executablePath, args: ARGS });
  shared.starting = launched;
  atTheEndOfTheProcess(async () => (await launched).close());
  return launched;
}
