#!/usr/bin/env bash
# chrono-node takes the zone of the machine for "Europe/Berlin", and says nothing.
#
# Expected: `{ instant, timezone: 'Europe/Berlin' }` is the zone in which a text was written, or an error. The documentation asks for a
#   "timezone name (e.g. GMT, CDT)", and the types take any text.
# Instead: a name that is no abbreviation counts as no zone. The same text is 9:00 in London or in New York, depending on the machine, and
#   "tomorrow" is today for somebody in Berlin after midnight. "nonsense" does the same. CEST and the minutes 120 are right.
# Version: chrono-node 2.10.3 (the newest). Date: 2026-11-29.
# Hurts: bots and automations that pass the zone of the user's profile. On a developer's machine in that zone all is right.
# In our code: packages/importing reads times without such a library.
# Usage: findings/chrono-node-zone-name.sh [version of chrono-node]
set -euo pipefail
version=${1:-2.10.3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "chrono-node@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { parseDate } from 'chrono-node';

const instant = new Date('2027-05-01T22:30:00Z'); // It is half past midnight on 2 May in Berlin, so tomorrow is 3 May.
const seen = {};
for (const timezone of ['Europe/Berlin', 'nonsense', undefined, 'CEST', 120])
  seen[timezone] = parseDate('tomorrow at 9:00', { instant, timezone }).toISOString();
console.log(process.env.TZ, seen);
const ofMachine = process.env.TZ === 'Europe/London' ? '2027-05-02T08:00:00.000Z' : '2027-05-02T13:00:00.000Z';
const right = '2027-05-03T07:00:00.000Z';
assert.deepEqual(seen, { 120: right, 'Europe/Berlin': ofMachine, nonsense: ofMachine, undefined: ofMachine, CEST: right });
EOF
TZ=Europe/London node look.mjs
TZ=America/New_York node look.mjs
TZ=Europe/Berlin node --input-type=module -e '
  import assert from "node:assert/strict";
  import { parseDate } from "chrono-node";
  const instant = new Date("2027-05-01T22:30:00Z");
  assert.equal(parseDate("tomorrow at 9:00", { instant, timezone: "Europe/Berlin" }).toISOString(), "2027-05-03T07:00:00.000Z");'
