#!/usr/bin/env bash
# node-ical ignores RDATE, and applies RANGE=THISANDFUTURE to one day.
#
# Expected: an event with two RDATEs takes place three times (RFC 5545, 3.8.5.2). A change of "this and all future" days changes
#   them all (3.2.13).
# Instead: expandRecurringEvent returns the first day only, and the days after the changed one have the old time. Nothing warns.
# Version: node-ical 0.27.2 (the newest). Date: 2026-11-28.
# Hurts: calendars that list single extra dates: courses and rehearsals with irregular days vanish, or stay at the old time.
# In our code: packages/icalendar/src/read-event.ts expands no series. The preview lists events with RDATE, and notes THISANDFUTURE.
# Usage: findings/node-ical-rdate.sh [version of node-ical]
set -euo pipefail
version=${1:-0.27.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "node-ical@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import ical from 'node-ical';

const event = (...lines) => ['BEGIN:VEVENT', 'UID:course', 'DTSTAMP:20260101T000000Z', 'SUMMARY:Course', ...lines, 'END:VEVENT'];
const starts = (...lines) => {
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//findings//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
  const found = Object.values(ical.sync.parseICS(text)).find(({ type }) => type === 'VEVENT');
  const range = { from: new Date('2026-01-01'), to: new Date('2027-01-01') };
  return ical.expandRecurringEvent(found, range).map(({ start }) => start.toISOString());
};
const extra = starts(...event('DTSTART:20260105T090000Z', 'DURATION:PT1H', 'RDATE:20260110T090000Z,20260112T090000Z'));
const later = starts(
  ...event('DTSTART:20260105T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3'),
  ...event('RECURRENCE-ID;RANGE=THISANDFUTURE:20260106T090000Z', 'DTSTART:20260106T110000Z', 'DURATION:PT1H'),
);
console.log('the 5th, and RDATEs on the 10th and 12th:', extra);
console.log('daily at 9, from the 6th on at 11:', later);
assert.deepEqual(extra, ['2026-01-05T09:00:00.000Z'], 'RDATE is read now');
assert.deepEqual(later, ['2026-01-05T09:00:00.000Z', '2026-01-06T11:00:00.000Z', '2026-01-07T09:00:00.000Z']);
EOF
TZ=UTC node look.mjs
