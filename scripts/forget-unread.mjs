// Prepares the image: after `npm prune`, removes the files that no process reads. Licences stay.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib/run.mjs';

/** Bundles replace the sources of Sluice, also those of the dashboard. */
const REMOVED = [
  'packages',
  'tools',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'scripts',
];
/** A service keeps its bundle, the entry of the command line, and package.json, which makes it an ES module. */
const KEPT_OF_A_SERVICE = ['dist', 'bin', 'package.json'];
/** The API server serves one of the builds of Swagger UI. */
const UNREAD =
  /\.(map|d\.[cm]?ts|md|markdown|tsbuildinfo)$|^swagger-ui(-es-bundle|-es-bundle-core|-standalone-preset)?\.js$/i;
const LICENCE = /licen[cs]e|notice|copying/i;

for (const service of readdirSync(join(ROOT, 'services')))
  for (const name of readdirSync(join(ROOT, 'services', service)))
    if (!KEPT_OF_A_SERVICE.includes(name)) remove('services', service, name);

const scope = join(ROOT, 'node_modules', '@sluice');
for (const name of readdirSync(scope)) if (name !== 'cli') remove('node_modules', '@sluice', name);

clean(join(ROOT, 'node_modules'));
for (const name of REMOVED) remove(name);

function remove(...path) {
  rmSync(join(ROOT, ...path), { recursive: true, force: true });
}

/** Removes a package's own tests, declarations, source maps and pages, then empty folders. */
function clean(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name === 'test' && existsSync(join(folder, 'package.json')))
        rmSync(path, { recursive: true });
      else clean(path);
    } else if (entry.isFile() && UNREAD.test(entry.name) && !holdsALicence(path, entry.name)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Some packages have their licence at the end of their README only. */
function holdsALicence(path, name) {
  if (LICENCE.test(name)) return true;
  if (!/^readme/i.test(name)) return false;
  const folder = join(path, '..');
  return (
    !readdirSync(folder).some((other) => LICENCE.test(other)) && LICENCE.test(readFileSync(path, 'utf8'))
  );
}
