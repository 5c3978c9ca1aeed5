#!/usr/bin/env bash
# rrule leaves out the last day of a series in a zone east of Greenwich.
#
# Expected: a daily series at 9:00 in Berlin until 2026-01-07T08:00:00Z, which is 9:00 there, has three days. RFC 5545 (3.3.10) demands
#   UNTIL in UTC for a start with a time zone, and UNTIL is part of the series.
# Instead: rrule compares the local 9:00 with 8:00, and the series has two days. One of a single day is empty.
# Version: rrule 2.8.1 (the newest). Date: 2026-11-28.
# Hurts: calendars that show series of Google Calendar or Outlook, whose last UNTIL is the last start. The last day is missing.
# In our code: packages/icalendar/src/last-occurrence.ts compares instants.
# Usage: findings/rrule-until-utc.sh [version of rrule]
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

const series = (zone, until) => {
  const text = `DTSTART;TZID=${zone}:20260105T090000\nRRULE:FREQ=DAILY;UNTIL=${until}`;
  const starts = rrule.rrulestr(text).all().map((start) => start.toISOString());
  console.log(`${zone} 9:00, until ${until}:`, starts);
  return starts.length;
};
assert.equal(series('Europe/Berlin', '20260107T080000Z'), 2, 'three days in Berlin');
assert.equal(series('Asia/Tokyo', '20260107T000000Z'), 2, 'three days in Tokyo');
assert.equal(series('Europe/Berlin', '20260105T080000Z'), 0, 'one day in Berlin');
assert.equal(series('Etc/UTC', '20260107T090000Z'), 3, 'three days in UTC, as expected');
EOF
TZ=UTC node look.mjs
