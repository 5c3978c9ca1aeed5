#!/usr/bin/env bash
# Luxon reads a time that the clocks show twice as one instant in summer, and as another in winter.
#
# Expected: 2026-10-25 02:30 in Berlin is the same instant whenever the program runs: the first, as in Temporal, or the second.
# Instead: Luxon begins with the offset that the zone has today. A run in January gets the second 2:30, one in July the first.
# Version: luxon 3.7.2 (the newest). Date: 2026-11-28.
# Hurts: ids and duplicates that are made of a start: an import repeated in another season finds another event. n8n's expressions use Luxon.
# In our code: packages/icalendar/src/local-time.ts and packages/contract read such a time as the first of the two.
# Usage: findings/luxon-time-shown-twice.sh [version of luxon]
set -euo pipefail
version=${1:-3.7.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "luxon@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { DateTime, Settings } from 'luxon';

const read = (today, local, zone) => {
  Settings.now = () => Date.parse(today);
  const instant = DateTime.fromISO(local, { zone }).toUTC().toISO();
  console.log(`on ${today}: ${local} in ${zone} is ${instant}`);
  return instant;
};
for (const [local, zone, first, second] of [
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
  ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z'],
]) {
  assert.equal(read('2026-01-15', local, zone), second);
  assert.equal(read('2026-07-15', local, zone), first);
}
EOF
node look.mjs
