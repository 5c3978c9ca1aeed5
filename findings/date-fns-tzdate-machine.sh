#!/usr/bin/env bash
# A time that the clocks show twice is the first or the second for TZDate of date-fns, by the zone of the machine.
#
# Expected: 2027-10-31 02:30 in Berlin is the same instant on each machine, and the start of an hour is not after 60 minutes or more.
# Instead: a machine in UTC or New York gets the second 02:30, one in Berlin or Tokyo the first. There, startOfHour() of the second
#   02:07 is the first 02:00, 67 minutes earlier. eachHourOfInterval() has 02:00 once. A text without offset is read in the zone of
#   the machine, although the zone is the next argument; parseISO() with `in` reads it in that zone.
# Versions: date-fns 4.4.0, @date-fns/tz 1.5.0 (both newest), Node 26.10.0. Date: 2026-11-28.
# Hurts: bookings and reports by hour that are right on the server and wrong on a laptop, in one night.
# In our code: packages/icalendar/src/local-time.ts reads such a time as the first of the two, on each machine.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts date-fns@4.4.0 @date-fns/tz@1.5.0
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { TZDate, tz } from '@date-fns/tz';
import { eachHourOfInterval, parseISO, startOfHour } from 'date-fns';

const BERLIN = 'Europe/Berlin';
const utc = (date) => new Date(Number(date)).toISOString().slice(11, 16);
const seen = {
  '02:30': utc(new TZDate(2027, 9, 31, 2, 30, BERLIN)),
  'parseISO 02:30': utc(parseISO('2027-10-31T02:30', { in: tz(BERLIN) })),
  'startOfHour of 01:07Z': utc(startOfHour(new TZDate('2027-10-31T01:07:00Z', BERLIN))),
  'hours until 05:00': eachHourOfInterval({ start: new TZDate(2027, 9, 31, BERLIN), end: new TZDate(2027, 9, 31, 5, BERLIN) }).length,
  "'10:00'": utc(new TZDate('2027-05-01T10:00', BERLIN)),
  "parseISO '10:00'": utc(parseISO('2027-05-01T10:00', { in: tz(BERLIN) })),
};
console.log(process.env.TZ, seen);
const second = { '02:30': '01:30', 'parseISO 02:30': '01:30', 'startOfHour of 01:07Z': '01:00' };
const first = { '02:30': '00:30', 'parseISO 02:30': '00:30', 'startOfHour of 01:07Z': '00:00' };
const expected = {
  UTC: { ...second, "'10:00'": '10:00' },
  'America/New_York': { ...second, "'10:00'": '14:00' },
  'Europe/Berlin': { ...first, "'10:00'": '08:00' },
  'Asia/Tokyo': { ...first, "'10:00'": '01:00' },
}[process.env.TZ];
assert.deepEqual(seen, { ...expected, 'hours until 05:00': 6, "parseISO '10:00'": '08:00' });
EOF
for zone in UTC America/New_York Europe/Berlin Asia/Tokyo; do TZ=$zone node look.mjs; done
