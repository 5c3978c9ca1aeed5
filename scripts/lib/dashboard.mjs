import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { areNewerThan } from './newer.mjs';
import { ROOT } from './run.mjs';

const DASHBOARD = join(ROOT, 'services', 'dashboard');
/** Sources of the bundle. Sluice's packages are bundled from source; the lock file stands for all others. */
const MADE_OF = [
  ...['src', 'public', 'build', 'index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'].map((name) =>
    join(DASHBOARD, name),
  ),
  ...['contract', 'dashboard-api', 'import', 'signature'].map((name) => join(ROOT, 'packages', name, 'src')),
  join(ROOT, 'package-lock.json'),
];
/** A file that each build writes. */
const MANIFEST = join(DASHBOARD, 'dist', '.vite', 'manifest.json');

/** Whether nothing has changed since the last build of the dashboard. Then files that may be in use stay. */
export function dashboardIsBuilt() {
  return areNewerThan([MANIFEST], MADE_OF);
}

/** Records that the dashboard was built from the sources of that moment. A source that changed later is newer. */
export function markBuilt(startedAtMs) {
  utimesSync(MANIFEST, new Date(), new Date(startedAtMs));
}
