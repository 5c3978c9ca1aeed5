#!/usr/bin/env bash
# `npm sbom --omit=dev` leaves out packages that ship if a development dependency needs them too.
#
# Expected: the bill of materials lists what `npm ls --omit=dev --all` lists.
# Instead: a package that is a dependency of a dependency, and also a direct development dependency, is missing from it.
#   The lock file does not mark such a package as `dev`, and `npm ls` lists it.
# Versions: npm 11.21.2; 12.2.1 (the newest) does the same. Date: 2026-11-27.
# Hurts: a bill of materials that is handed out with a product: it is incomplete.
# In our code: scripts/lib/shipped.mjs makes the bill of materials from the lock file.
# Usage: findings/npm-sbom-omit-dev.sh [version of npm]
set -euo pipefail
version=${1:-11.21.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir project tool
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/tool" "npm@$version"
npm=(node "$folder/tool/node_modules/npm/bin/npm-cli.js")

cd project
# supports-color 7.2.0 depends on has-flag, and so does this project, for tests.
cat >package.json <<'EOF'
{
  "name": "project",
  "version": "1.0.0",
  "private": true,
  "dependencies": { "supports-color": "7.2.0" },
  "devDependencies": { "has-flag": "4.0.0" }
}
EOF
"${npm[@]}" install --silent --no-audit --no-fund --ignore-scripts
"${npm[@]}" ls --omit=dev --all --json >ls.json
"${npm[@]}" sbom --omit=dev --sbom-format=cyclonedx >sbom.json

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const listed = Object.keys(require('./ls.json').dependencies['supports-color'].dependencies ?? {});
const materials = require('./sbom.json').components.map(({ name }) => name);
const locked = require('./package-lock.json').packages['node_modules/has-flag'];
console.log(`npm ${process.argv[2]}`);
console.log('npm ls --omit=dev lists below supports-color:', listed);
console.log('npm sbom --omit=dev lists:', materials);
console.log('the lock file marks has-flag as dev:', locked.dev === true);
assert.deepEqual(listed, ['has-flag']);
assert.deepEqual(materials, ['supports-color']);
assert.equal(locked.dev, undefined);
EOF
node look.cjs "$version"
