#!/usr/bin/env node
// Adds to package-lock.json the optional packages of other platforms that npm could not look up.
//
// A registry mirror may serve only the packages of its platform. npm then omits the others from the lock file.
// `npm ci` rejects such a file everywhere ("Missing: … from lock file"). Run this after `npm install`.
// It also asks the registry for each hash that is missing, so that every install is checked by hashes.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { missingOptionalPackages } from './lib/lockfile.mjs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingOptionalPackages(lock);
const packages = { ...lock.packages, ...missing };
const INSTALLED = 'node_modules/';
for (const [path, entry] of Object.entries(packages)) {
  if (!path.includes(INSTALLED) || entry.link || entry.integrity) continue;
  const name = path.slice(path.lastIndexOf(INSTALLED) + INSTALLED.length);
  const view = execFileSync('npm', ['view', `${name}@${entry.version}`, 'dist.integrity'], {
    encoding: 'utf8',
  });
  if (view.trim() === '') throw new Error(`The registry has no hash of ${name}@${entry.version}.`);
  entry.integrity = view.trim();
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${Object.keys(missing).length} entries added`);
