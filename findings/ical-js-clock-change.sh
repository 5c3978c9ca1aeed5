#!/usr/bin/env bash
# ical.js reads a time that the clocks skip as an hour early, and one that they show twice as the second.
#
# Expected: RFC 5545 (3.3.5) decides both. 2:30 on the day that skips it has the offset before the gap: 3:30 of the new time. 2:30 on
#   the day that shows it twice is the first of the two.
# Instead: the first is 1:30 of the old time, and the second is an hour late. The calendar describes the zone in full.
# Version: ical.js 2.2.1 (the newest). Date: 2026-11-28.
# Hurts: nightly events: the same file has other instants in Thunderbird, which uses ical.js, than in Google Calendar.
# In our code: packages/icalendar/src/described-zone.ts reads the first of the two. docs/importing-events.md states it.
# Usage: findings/ical-js-clock-change.sh [version of ical.js]
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

const change = (name, month, from, to, hour) => [
  ...[`BEGIN:${name}`, `DTSTART:1996${month}01T0${hour}0000`, `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=-1SU`],
  ...[`TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${name}`],
];
const zone = [
  ...['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', ...change('DAYLIGHT', '03', '+0100', '+0200', 2)],
  ...[...change('STANDARD', '10', '+0200', '+0100', 3), 'END:VTIMEZONE'],
];
const instant = (local) => {
  const event = ['BEGIN:VEVENT', 'UID:night', 'DTSTAMP:20260101T000000Z', `DTSTART;TZID=Europe/Berlin:${local}`, 'END:VEVENT'];
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//findings//EN', ...zone, ...event, 'END:VCALENDAR', ''].join('\r\n');
  const found = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'));
  const read = found.startDate.toJSDate().toISOString();
  console.log(local, read);
  return read;
};
assert.equal(instant('20260705T023000'), '2026-07-05T00:30:00.000Z', 'summer, as expected');
assert.equal(instant('20261205T023000'), '2026-12-05T01:30:00.000Z', 'winter, as expected');
assert.equal(instant('20260329T023000'), '2026-03-29T00:30:00.000Z', 'the skipped time is 01:30Z now');
assert.equal(instant('20261025T023000'), '2026-10-25T01:30:00.000Z', 'the first 2:30 is 00:30Z');
EOF
node look.mjs
