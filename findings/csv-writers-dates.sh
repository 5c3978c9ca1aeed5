#!/usr/bin/env bash
# The same Date is an ISO text, a number or a text in the machine's zone, depending on the library that writes the CSV.
#
# Expected: an instant is written as `2027-05-01T08:00:00.250Z`, as JSON does it, so that a reader finds the same instant.
# Instead: papaparse does so. csv-stringify writes milliseconds since 1970. fast-csv writes "Sat May 01 2027 10:00:00 GMT+0200 (Central
#   European Summer Time)": without milliseconds, and with another text on a machine in another zone. true is "1" in csv-stringify and
#   "true" in the others; false is an empty cell there, as null is.
# Versions: fast-csv 5.0.8, csv-stringify 6.9.0, papaparse 5.7.1 (all newest). Date: 2026-11-29.
# Hurts: exports that another system imports: a spreadsheet takes the number for an amount, and false for "unknown".
# In our code: services/api/src/deliveries/export-formats.ts has its own writer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts fast-csv@5.0.8 csv-stringify@6.9.0 papaparse@5.7.1
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { stringify } from 'csv-stringify/sync';
import { writeToString } from 'fast-csv';
import Papa from 'papaparse';

const row = { at: new Date('2027-05-01T08:00:00.250Z'), yes: true, no: false, none: null };
const seen = {
  papaparse: Papa.unparse([row], { header: false }),
  'csv-stringify': stringify([row]).trim(),
  'fast-csv': await writeToString([row], { headers: false }),
};
console.log(process.env.TZ, seen);
const local = { 'Europe/Berlin': '10:00:00 GMT+0200 (Central European Summer Time)', 'America/New_York': '04:00:00 GMT-0400 (Eastern Daylight Time)' };
assert.deepEqual(seen, {
  papaparse: '2027-05-01T08:00:00.250Z,true,false,',
  'csv-stringify': '1809158400250,1,,',
  'fast-csv': `Sat May 01 2027 ${local[process.env.TZ]},true,false,`,
});
EOF
TZ=Europe/Berlin node look.mjs
TZ=America/New_York node look.mjs
