import { readFileSync } from 'node:fs';

/** The bundler puts the commit of the build here (scripts/lib/bundle.mjs). */
declare const SLUICE_REVISION: string | undefined;

let version: string | undefined;

/** All workspaces have the version of the repository. */
export function versionOfSluice(): string {
  version ??= JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version as string;
  return version;
}

/** The commit of the build, with `-dirty` if sources had changed; `unknown` for a build outside of git, and for sources. */
export function revisionOfSluice(): string {
  return typeof SLUICE_REVISION === 'undefined' ? 'unknown' : SLUICE_REVISION;
}
