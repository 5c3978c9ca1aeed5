import { existsSync } from 'node:fs';
import { aptGet, mayInstall } from '../../tools/launcher/src/apt-get.ts';

/** Has the same engine without browser windows: a visit needs 1.4 s of CPU time instead of 3.3 s. */
const SHELL = '/usr/bin/chromium-headless-shell';
const PLACES = [SHELL, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Older Debian releases have only the second. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const HELP =
  'The browser tests need Chromium: install Debian\'s package "chromium-headless-shell" or "chromium", or name a Chrome or Chromium in CHROMIUM_PATH.';

/** The path of Chromium: from CHROMIUM_PATH, installed, or installed now if this runs as root on Debian. */
export async function chromiumPath(): Promise<string> {
  const path = present() ?? (mayInstall() ? await install() : undefined);
  if (path === undefined) throw new Error(HELP);
  return path;
}

/** Installs the lighter browser even where a full one is present. Called once, before the tests of a run. */
export async function provideChromium(): Promise<void> {
  const isChosen = process.env.CHROMIUM_PATH !== undefined && process.env.CHROMIUM_PATH !== '';
  if (!isChosen && !existsSync(SHELL) && mayInstall()) await install();
  await chromiumPath();
}

function present(): string | undefined {
  const places = [process.env.CHROMIUM_PATH, ...PLACES];
  return places.find((path) => path !== undefined && path !== '' && existsSync(path));
}

async function install(): Promise<string | undefined> {
  process.stderr.write('installing Chromium without windows with apt-get …\n');
  await aptGet(['update', '-qq']);
  for (const name of PACKAGES) {
    await aptGet(['install', '-y', '-qq', '--no-install-recommends', name]);
    // Checks even after a failure, because a concurrent run may have installed it meanwhile.
    const path = present();
    if (path !== undefined) return path;
  }
  return undefined;
}
