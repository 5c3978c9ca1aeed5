#!/usr/bin/env bash
# ts-ics shows a monthly meeting at midnight and without its first day, and in New York on the wrong weekday.
#
# Expected: DTSTART is the first instance and gives the time of all (RFC 5545, 3.3.10), and months without a 31st have no instance.
#   rrule lists these days.
# Instead: `FREQ=MONTHLY;BYDAY=1MO` from Monday, 4 January, 09:00Z begins on 1 February at 00:00Z. On a machine in New York it is each
#   first Tuesday. The 31st becomes 28 February, and then the 28th of every month. 29 February becomes 28 February.
# Versions: ts-ics 2.4.6, rrule 2.8.1 (both newest). Date: 2026-11-28.
# Hurts: calendars that expand the feeds of others with it: monthly meetings are on another day, and at another time.
# In our code: packages/icalendar/src computes the next day of a series without a library.
# Usage: findings/ts-ics-recurrence.sh [version of ts-ics]
set -euo pipefail
version=${1:-2.4.6}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "ts-ics@$version" rrule@2.8.1
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import rrule from 'rrule';
import { convertIcsCalendar, extendByRecurrenceRule } from 'ts-ics';

const calendar = (start, rule) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//findings//EN', 'BEGIN:VEVENT', 'UID:1@example.com', 'DTSTAMP:20270101T000000Z',
    `DTSTART:${start}`, `RRULE:${rule}`, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const texts = (dates) => dates.map((date) => date.toISOString().slice(0, 16)).join(' ');
function byTsIcs(start, rule) {
  const [event] = convertIcsCalendar(undefined, calendar(start, rule)).events;
  return texts(extendByRecurrenceRule(event.recurrenceRule, { start: event.start.date }));
}
const byRrule = (start, rule) => texts(rrule.rrulestr(`DTSTART:${start}\nRRULE:${rule}`).all());

const firstMonday = ['20270104T090000Z', 'FREQ=MONTHLY;BYDAY=1MO;COUNT=3'];
const lastDay = ['20270131T090000Z', 'FREQ=MONTHLY;COUNT=3'];
const leapDay = ['20240229T090000Z', 'FREQ=YEARLY;COUNT=3'];
console.log(`machine in ${process.env.TZ}`);
for (const series of [firstMonday, lastDay, leapDay])
  console.log(`  ${series.join(' ')}\n    ts-ics: ${byTsIcs(...series)}\n    rrule:  ${byRrule(...series)}`);

assert.equal(byRrule(...firstMonday), '2027-01-04T09:00 2027-02-01T09:00 2027-03-01T09:00');
assert.equal(byRrule(...lastDay), '2027-01-31T09:00 2027-03-31T09:00 2027-05-31T09:00');
const tuesdays = '2027-01-05T00:00 2027-02-02T00:00 2027-03-02T00:00';
const mondays = '2027-02-01T00:00 2027-03-01T00:00 2027-04-05T00:00';
assert.equal(byTsIcs(...firstMonday), process.env.TZ === 'UTC' ? mondays : tuesdays);
assert.match(byTsIcs(...lastDay), /^2027-01-31T09:00 2027-02-28T09:00 2027-03-28T0[89]:00$/);
assert.equal(byTsIcs(...leapDay), '2024-02-29T09:00 2025-02-28T09:00 2026-02-28T09:00');
assert.equal(byRrule(...leapDay), '2024-02-29T09:00 2028-02-29T09:00 2032-02-29T09:00');
EOF
TZ=UTC node look.mjs
TZ=America/New_York node look.mjs
