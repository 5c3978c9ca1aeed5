#!/usr/bin/env bash
# JSONata is an hour off in Newfoundland, where the offset is -03:30 or -02:30.
#
# Expected: 12:00Z is 08:30 at -0330, as +0530 shows 17:30. `$toMillis` reads 08:30-03:30 as 12:00Z, with a picture and without one.
# Instead: $fromMillis() shows 07:30-04:30, and with a picture $toMillis() reads 08:30-03:30 as 11:00Z: a negative offset is rounded to
#   whole hours on the wrong side. The result looks right, as the offset beside it is wrong too. A year of two digits is one of 1900.
# Versions: jsonata 2.2.2, and the copy in @node-red/util 5.0.7 (both newest). Date: 2026-11-28.
# Hurts: flows that map dates with it, as in Node-RED: appointments in St. John's are an hour early.
# In our code: no JSONata. packages/icalendar/src/offset-zone.ts reads -0330, and packages/contract/src/instant.ts 08:30-03:30.
# Usage: findings/jsonata-half-hour-west.sh [version of jsonata]
set -euo pipefail
version=${1:-2.2.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "jsonata@$version" @node-red/util@5.0.7
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import copyOfNodeRed from '@node-red/util/lib/jsonata.js';
import jsonata from 'jsonata';

const PICTURE = '[Y0001]-[M01]-[D01]T[H01]:[m01][Z]';
const valueOf = (expression) => jsonata(expression).evaluate({});
const noon = "$toMillis('2027-05-01T12:00:00Z')";
const shown = (offset) => valueOf(`$fromMillis(${noon}, '${PICTURE}', '${offset}')`);
const shownByNodeRed = copyOfNodeRed(`$fromMillis(${noon}, '${PICTURE}', '-0330')`).evaluate({});
const read = (...values) => valueOf(`$fromMillis($toMillis(${values.map((value) => `'${value}'`).join(', ')}))`);

const seen = {
  '12:00Z at -0330': await shown('-0330'),
  'the same in Node-RED': await shownByNodeRed,
  '12:00Z at -0230': await shown('-0230'),
  '12:00Z at -0300': await shown('-0300'),
  '12:00Z at +0530': await shown('+0530'),
  '08:30-03:30 with a picture': await read('2027-05-01T08:30-03:30', PICTURE),
  '08:30-03:30 without one': await read('2027-05-01T08:30:00-03:30'),
  '1/5/27': await read('1/5/27', '[D]/[M]/[Y01]'),
};
console.log(`jsonata ${process.argv[2]}`);
console.log(seen);
assert.deepEqual(Object.values(seen), [
  '2027-05-01T07:30-04:30',
  '2027-05-01T07:30-04:30',
  '2027-05-01T08:30-03:30',
  '2027-05-01T09:00-03:00',
  '2027-05-01T17:30+05:30',
  '2027-05-01T11:00:00.000Z',
  '2027-05-01T12:00:00.000Z',
  '1927-05-01T00:00:00.000Z',
]);
EOF
node look.mjs "$version"
