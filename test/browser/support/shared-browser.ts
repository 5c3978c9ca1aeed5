import { type Browser, chromium } from 'playwright-core';
import { atTheEnd } from '../../support/at-the-end.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { ofTheRun } from '../../support/of-the-run.ts';

const ARGS = ['--no-sandbox', '--disable-dev-shm-usage'];
const shared = ofTheRun('browser', (): { starting?: Promise<Browser> } => ({}));

/**
 * The one Chromium of this mocha run: to start it costs more than most tests do. Tests are apart by their contexts, which
 * share no cookie, storage or cache. Another is started where it has crashed.
 */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await shared.starting;
  return browser?.isConnected() ? browser : launch();
}

async function launch(): Promise<Browser> {
  const executablePath = await chromiumPath();
  const launched = chromium.launch({ executablePath, args: ARGS });
  shared.starting = launched;
  atTheEnd(async () => (await launched).close());
  return launched;
}
