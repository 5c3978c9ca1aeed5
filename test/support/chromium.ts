import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const HELP =
  'The browser tests need Chromium: install Debian\'s package "chromium", or name a Chrome or Chromium in CHROMIUM_PATH.';

/** Where Chromium is: named by CHROMIUM_PATH, installed, or installed now, where we are root on Debian. */
export function chromiumPath(): string {
  const { CHROMIUM_PATH: given } = process.env;
  const found = [given, ...PLACES].find((path) => path !== undefined && path !== '' && existsSync(path));
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stderr.write('no Chromium; installing it with apt-get …\n');
    if (apt('update', '-qq') && apt('install', '-y', '-qq', '--no-install-recommends', 'chromium')) {
      return PLACES[0] as string;
    }
  }
  throw new Error(HELP);
}

function apt(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status === 0;
}
