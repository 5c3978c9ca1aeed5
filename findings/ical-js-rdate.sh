#!/usr/bin/env bash
# ical.js returns a day twice that a rule and an RDATE name, and cannot expand an RDATE that is a period.
#
# Expected: the recurrence set contains an instance once (RFC 5545, 3.8.5.2: duplicates are ignored), and a period has its own end.
# Instead: the iterator of an event returns the day twice. With `RDATE;VALUE=PERIOD` getOccurrenceDetails throws a TypeError about
#   convertToZone.
# Version: ical.js 2.2.1 (the newest). Date: 2026-11-28.
# Hurts: programs that store each occurrence: a course has two bookings on one day, or its whole calendar is not read.
# In our code: packages/icalendar never expands a series.
# Usage: findings/ical-js-rdate.sh [version of ical.js]
set -euo pipefail
version=${1:-2.2.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "ical.js@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import ICAL from 'ical.js';

const starts = (...lines) => {
  const event = ['BEGIN:VEVENT', 'UID:course', 'DTSTAMP:20260101T000000Z', 'DTSTART:20260105T090000Z', 'DURATION:PT1H', ...lines];
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//findings//EN', ...event, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
  const series = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'));
  const iterator = series.iterator();
  const found = [];
  for (let next = iterator.next(); next; next = iterator.next()) found.push(String(series.getOccurrenceDetails(next).startDate));
  return found;
};
const twice = starts('RRULE:FREQ=DAILY;COUNT=2', 'RDATE:20260106T090000Z');
console.log('the 5th and 6th, and an RDATE on the 6th:', twice);
assert.deepEqual(twice.map((start) => start.slice(8, 10)), ['05', '06', '06']);

const period = () => starts('RRULE:FREQ=DAILY;COUNT=2', 'RDATE;VALUE=PERIOD:20260110T090000Z/PT3H');
assert.throws(period, (error) => {
  console.log('an RDATE that is a period:', error.message);
  return error instanceof TypeError;
});
EOF
node look.mjs
