#!/usr/bin/env bash
# rrule begins a series of whole days today, and keeps a day that an EXDATE in UTC removes.
#
# Expected: `DTSTART;VALUE=DATE:20260105`, as calendars write a whole day, begins on 2026-01-05. An EXDATE in UTC removes the occurrence
#   at its instant.
# Instead: rrulestr passes over such a start without an error, and the series begins at the moment of the call. The EXDATE is compared
#   with the local time of a series in a zone, so it removes nothing, or another occurrence.
# Version: rrule 2.8.1 (the newest). Date: 2026-11-28.
# Hurts: calendars with whole days: holidays move to today, and to another day with each import.
# In our code: packages/icalendar/src/read-times.ts reads days. A series is not expanded.
# Usage: findings/rrule-day-start.sh [version of rrule]
set -euo pipefail
version=${1:-2.8.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "rrule@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import rrule from 'rrule';

const starts = (...lines) => rrule.rrulestr(lines.join('\n'), { forceset: true }).all();
const [day] = starts('DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=DAILY;COUNT=2');
const [midnight] = starts('DTSTART:20260105T000000Z', 'RRULE:FREQ=DAILY;COUNT=2');
const berlin = ['DTSTART;TZID=Europe/Berlin:20260105T090000', 'RRULE:FREQ=DAILY;COUNT=2'];
const removed = starts(...berlin, 'EXDATE:20260106T080000Z').map((start) => start.toISOString());
console.log('from the day 2026-01-05:', day, '; from its midnight:', midnight);
console.log('9:00 in Berlin on the 5th and 6th, without 2026-01-06T08:00Z, which is the second:', removed);
assert.equal(midnight.toISOString(), '2026-01-05T00:00:00.000Z');
assert.ok(Math.abs(day.getTime() - Date.now()) < 60_000, 'the day is read now');
assert.deepEqual(removed, ['2026-01-05T08:00:00.000Z', '2026-01-06T08:00:00.000Z'], 'the EXDATE is applied now');
EOF
TZ=UTC node look.mjs
