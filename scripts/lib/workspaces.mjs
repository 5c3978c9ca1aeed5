import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** The folders of all workspaces, from the root. */
export const WORKSPACES = ['packages', 'services', 'tools'].flatMap((group) =>
  readdirSync(join(ROOT, group))
    .map((name) => join(group, name))
    // A folder that was moved may leave its `dist` behind.
    .filter((folder) => existsSync(join(ROOT, folder, 'package.json'))),
);
