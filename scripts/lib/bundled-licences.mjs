import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** The package of an input of esbuild: the innermost folder below node_modules. */
const PACKAGE = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const LICENCE = /^(licen[cs]e|copying)(\.|-|$)/i;

/**
 * The packages in a bundle with their licences, as the licences require. Markdown in the form that Vite writes.
 * @param {readonly string[]} inputs the files of a bundle, by their paths from the root
 */
export function licencesOf(inputs) {
  const folders = new Set(inputs.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
  const sections = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    return `## ${name} - ${version} (${license})\n\n${textOf(folder)}\n`;
  });
  const head = '# Licenses\n\nThe app bundles dependencies which contain the following licenses:\n';
  return [head, ...[...new Set(sections)].sort()].join('\n');
}

function textOf(folder) {
  const file = readdirSync(join(ROOT, folder)).find((name) => LICENCE.test(name));
  return file === undefined ? '' : readFileSync(join(ROOT, folder, file), 'utf8').trim();
}
