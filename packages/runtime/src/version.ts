import { readFileSync } from 'node:fs';

let version: string | undefined;

/** All workspaces have the version of the repository. */
export function versionOfSluice(): string {
  version ??= JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version as string;
  return version;
}
