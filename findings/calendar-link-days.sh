#!/usr/bin/env bash
# calendar-link makes one day of three, and an Outlook link in the clock time of the machine that makes it.
#
# Expected: a whole-day event with `duration: [3, 'day']` has three days, as with `end`. A start in UTC is the same instant in each
#   calendar.
# Instead: `allDay` ends on the next day, whatever the duration is. Outlook's link has the local time of the machine without an offset,
#   so the reader's calendar shows it as its own. The file has `DTSTART:20270501` without VALUE=DATE, and no event has a TZID.
# Version: calendar-link 2.11.5 (the newest). Date: 2026-11-28.
# Hurts: mails with "Add to calendar": a server in UTC sends everyone in Outlook the hour of London.
# In our code: no calendar is written; packages/icalendar only reads.
# Usage: findings/calendar-link-days.sh [version of calendar-link]
set -euo pipefail
version=${1:-2.11.5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "calendar-link@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { google, ics, outlook } from 'calendar-link';

const days = (link) => new URL(link).searchParams.get('dates');
const fair = { title: 'Fair', start: '2027-05-01', allDay: true };
const call = { title: 'Call', start: '2027-05-01T10:00:00Z', duration: [1, 'hour'] };
const seen = {
  'three days by duration': days(google({ ...fair, duration: [3, 'day'] })),
  'three days by end': days(google({ ...fair, end: '2027-05-04' })),
  '10:00Z in Google': days(google(call)),
  '10:00Z in Outlook': new URL(outlook(call)).searchParams.get('startdt'),
  'whole day in the file': /DTSTART[^\r\n]*/.exec(decodeURIComponent(ics(fair)))[0],
};
console.log(process.env.TZ, seen);
assert.deepEqual(seen, {
  'three days by duration': '20270501/20270502',
  'three days by end': '20270501/20270504',
  '10:00Z in Google': '20270501T100000Z/20270501T110000Z',
  '10:00Z in Outlook': { UTC: '2027-05-01T10:00:00', 'America/New_York': '2027-05-01T06:00:00' }[process.env.TZ],
  'whole day in the file': 'DTSTART:20270501',
});
EOF
TZ=UTC node look.mjs
TZ=America/New_York node look.mjs
