import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** The folders of all workspaces, from the root. */
export const WORKSPACES = ['packages', 'services'].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => join(group, name)),
);
