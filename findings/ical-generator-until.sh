#!/usr/bin/env bash
# ical-generator writes the end of a series in a form that the start does not allow.
#
# Expected: a start with a time zone has UNTIL in UTC, and a start that is a day has UNTIL as a day (RFC 5545, 3.3.10: both MUST).
# Instead: UNTIL is a local time without zone, and an instant in UTC. dateutil of Python rejects the first with a ValueError.
# Versions: ical-generator 11.1.2 (the newest), python-dateutil 2.9.0.post0 (the newest) if there is a Python. Date: 2026-11-28.
# Hurts: feeds of Node services: strict readers reject the series, others end it an offset too early or too late.
# In our code: packages/icalendar/src/last-occurrence.ts reads an UNTIL without zone in the zone of the start.
# Usage: findings/ical-generator-until.sh [version of ical-generator]
set -euo pipefail
version=${1:-11.1.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "ical-generator@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import ical from 'ical-generator';

const series = (event, until) => {
  const calendar = ical({ name: 'Courses', timezone: event.timezone ?? null });
  calendar.createEvent({ id: 'course', summary: 'Course', repeating: { freq: 'DAILY', until: new Date(until) }, ...event });
  return calendar.toString().split('\r\n').filter((line) => /^(DTSTART|RRULE)/.test(line));
};
const zoned = series({ start: new Date('2026-01-05T08:00:00Z'), timezone: 'Europe/Berlin' }, '2026-01-07T08:00:00Z');
const days = series({ start: new Date('2026-01-05T12:00:00Z'), allDay: true }, '2026-01-07T00:00:00Z');
console.error('with a zone:', zoned);
console.error('whole days:', days);
assert.deepEqual(zoned, ['DTSTART;TZID=Europe/Berlin:20260105T090000', 'RRULE:FREQ=DAILY;UNTIL=20260107T090000']);
assert.deepEqual(days, ['DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=DAILY;UNTIL=20260107T000000Z']);
console.log(zoned.join('\n'));
EOF
TZ=Europe/Berlin node look.mjs >series.txt
command -v python3 >/dev/null || { echo 'Without python3, dateutil is not asked.'; exit 0; }
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check python-dateutil==2.9.0.post0
cat >look.py <<'EOF'
from dateutil.rrule import rrulestr

try:
    rrulestr(open("series.txt").read())
except ValueError as error:
    print("dateutil:", error)
else:
    raise SystemExit("dateutil reads it now")
EOF
venv/bin/python look.py
