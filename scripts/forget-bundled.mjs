// Prepares the image: removes from every package.json what a bundle already contains and what only development needs.
// Then `npm prune --omit=dev` leaves only packages that are read as files.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOKED_FOR_AS_FILES } from './lib/bundle.mjs';
import { ROOT } from './lib/run.mjs';
import { WORKSPACES } from './lib/workspaces.mjs';

for (const folder of ['', ...WORKSPACES]) {
  const path = join(ROOT, folder, 'package.json');
  const { dependencies = {}, devDependencies, ...others } = JSON.parse(readFileSync(path, 'utf8'));
  const left = Object.entries(dependencies).filter(([name]) => LOOKED_FOR_AS_FILES.includes(name));
  writeFileSync(path, `${JSON.stringify({ ...others, dependencies: Object.fromEntries(left) }, null, 2)}\n`);
}
