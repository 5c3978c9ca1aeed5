#!/usr/bin/env bash
# ical-generator writes the machine's local time under the name of another zone.
#
# Expected: `start: new Date('2026-01-05T08:00:00Z'), timezone: 'Europe/Berlin'` is 9:00 in Berlin, because a Date is an instant.
# Instead: a machine in UTC writes `DTSTART;TZID=Europe/Berlin:20260105T080000`, an hour early. Only a machine in Berlin writes 9:00.
#   No VTIMEZONE describes the zone, although RFC 5545 (3.8.3.1) demands one.
# Version: ical-generator 11.1.2 (the newest). Date: 2026-11-28.
# Hurts: feeds whose events are right on the laptop, and move by the offset in a container.
# In our code: an import cannot tell. docs/importing-events.md tells where to compare the first times.
# Usage: findings/ical-generator-machine-zone.sh [version of ical-generator]
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

const calendar = ical({ name: 'Courses' });
calendar.createEvent({ id: 'course', summary: 'Course', start: new Date('2026-01-05T08:00:00Z'), timezone: 'Europe/Berlin' });
const text = calendar.toString();
const start = text.match(/^DTSTART.*$/m)[0];
console.log(`machine in ${process.env.TZ}: ${start}`);
assert.equal(start, `DTSTART;TZID=Europe/Berlin:20260105T${process.argv[2]}`);
assert.ok(!text.includes('BEGIN:VTIMEZONE'));
EOF
TZ=UTC node look.mjs 080000
TZ=Europe/Berlin node look.mjs 090000
TZ=America/New_York node look.mjs 030000
