#!/usr/bin/env bash
# The package ics writes a series in UTC, so it moves by an hour when the clocks change, and writes a duration that is none.
#
# Expected: a weekly course at 9:00 stays at 9:00. A duration of one day is `P1D`.
# Instead: the start is written as an instant, and its rule repeats that instant: from the end of March on the course is at 10:00 in
#   Berlin. The duration is `P1DT`, which the grammar does not allow (RFC 5545, 3.3.6).
# Version: ics 3.12.0 (the newest). Date: 2026-11-28.
# Hurts: subscribers of a weekly feed, for half of the year. `startOutputType: "local"` keeps the clock's time, without a zone.
# In our code: packages/icalendar/src/local-time.ts reads `P1DT`. An import keeps such a series in UTC.
# Usage: findings/ics-series-in-utc.sh [version of ics]
set -euo pipefail
version=${1:-3.12.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "ics@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { createEvent } from 'ics';

const lines = (event) => {
  const { error, value } = createEvent({ title: 'Course', ...event });
  assert.ok(!error, String(error));
  return value.split('\r\n').filter((line) => /^(DTSTART|RRULE|DURATION)/.test(line));
};
const weekly = lines({ start: [2026, 3, 23, 9, 0], duration: { hours: 1 }, recurrenceRule: 'FREQ=WEEKLY;COUNT=2' });
const day = lines({ start: [2026, 3, 23], duration: { days: 1 } });
console.log('weekly at 9:00 in Berlin:', weekly);
console.log('one day:', day);
assert.deepEqual(weekly, ['DTSTART:20260323T080000Z', 'RRULE:FREQ=WEEKLY;COUNT=2', 'DURATION:PT1H']);
assert.equal(day.at(-1), 'DURATION:P1DT');
EOF
TZ=Europe/Berlin node look.mjs
