import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The first has the same engine without a browser's own windows: a page costs it half of the processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const CHROMIUM = '/usr/bin/chromium';
const PLACES = [HEADLESS_SHELL, CHROMIUM, '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const HELP =
  'The browser tests need Chromium: install Debian\'s package "chromium-headless-shell" or "chromium", or name a Chrome or Chromium in CHROMIUM_PATH.';

/** Where Chromium is: named by CHROMIUM_PATH, installed, or installed now, where we are root on Debian. */
export function chromiumPath(): string {
  const { CHROMIUM_PATH: given } = process.env;
  const found = [given, ...PLACES].find((path) => path !== undefined && path !== '' && existsSync(path));
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stderr.write('no Chromium; installing it with apt-get …\n');
    apt('update', '-qq');
    // Older releases have only the second.
    if (install('chromium-headless-shell')) return HEADLESS_SHELL;
    if (install('chromium')) return CHROMIUM;
  }
  throw new Error(HELP);
}

function install(name: string): boolean {
  return apt('install', '-y', '-qq', '--no-install-recommends', name);
}

function apt(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status === 0;
}
