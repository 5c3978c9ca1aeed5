#!/usr/bin/env bash
# papaparse does not detect the tabs of a file with one row.
#
# Expected: a head, one row and a line end, separated by tabs, are two rows of two cells.
# Instead: "Unable to auto-detect delimiting character": each row is one cell. Without the last line end, tabs are found.
# Versions: papaparse 5.7.1 (the newest). Date: 2026-11-27.
# Hurts: the first try of somebody who exports one row to see how an import works. Spreadsheets end each file with a line end.
# In our code: packages/importing/src/split-rows.ts removes line ends from the end of the file.
# Usage: findings/papaparse-tabs-one-row.sh [version of papaparse]
set -euo pipefail
version=${1:-5.7.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "papaparse@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import papa from 'papaparse';

const text = 'title\tstarts_at\nOpen day\t2027-03-01T18:00:00Z\n';
const ended = papa.parse(text);
const bare = papa.parse(text.trimEnd());
console.log('with a last line end:', JSON.stringify(ended.data), ended.errors.map(({ code }) => code));
console.log('without:', JSON.stringify(bare.data));
assert.equal(ended.data[0].length, 1, 'tabs are detected now');
assert.equal(ended.errors[0].code, 'UndetectableDelimiter');
assert.equal(bare.data[0].length, 2);
EOF
node look.mjs
