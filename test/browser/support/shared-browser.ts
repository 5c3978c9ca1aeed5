import { type Browser, chromium } from 'playwright-core';
import { atTheEndOfTheProcess } from '../../support/at-the-end.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { ofTheRun } from '../../support/of-the-run.ts';

/** Of renderers only the necessary ones: Chromium otherwise starts a spare one for each page. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--renderer-process-limit=1'];
const shared = ofTheRun('browser', (): { starting?: Promise<Browser> } => ({}));

/**
 * Returns the shared Chromium of this process. Starting one costs more than most tests. Open pages have separate contexts,
 * which share no cookie, storage or cache. After a crash, a new one starts.
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
