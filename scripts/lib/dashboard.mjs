import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { areNewerThan } from './newer.mjs';
import { ROOT } from './run.mjs';

const DASHBOARD = join(ROOT, 'services', 'dashboard');
/** What the bundle is made of; our own packages are bundled from their sources, the rest by what the lock file says. */
const MADE_OF = [
  ...['src', 'public', 'build', 'index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'].map((name) =>
    join(DASHBOARD, name),
  ),
  ...['contract', 'dashboard-api', 'icalendar'].map((name) => join(ROOT, 'packages', name, 'src')),
  join(ROOT, 'package-lock.json'),
];
/** One of the files that a build writes. */
const MANIFEST = join(DASHBOARD, 'dist', '.vite', 'manifest.json');

/** Whether nothing has changed since the dashboard was last built. Then what others just serve is left alone. */
export function dashboardIsBuilt() {
  return areNewerThan([MANIFEST], MADE_OF);
}

/** Notes that the dashboard was built as everything was at that moment: what changed meanwhile is newer. */
export function markBuilt(startedAtMs) {
  utimesSync(MANIFEST, new Date(), new Date(startedAtMs));
}
