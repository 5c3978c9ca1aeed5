#!/usr/bin/env bash
# Mongoose stores the day 20270501 as a minute of 1970, and the text "12" as a day of December 2001.
#
# Expected: a text that is no date is a CastError, and `20270501`, the day of iCalendar and of ISO 8601, is May 1, 2027.
# Instead: a number above 275760 is milliseconds since 1970, even as a text. Every other text goes to `new Date()`, which in V8 finds
#   a year in "2027", a month in "12" and in "Room 5". None of them is an error.
# Version: mongoose 9.12.1 (the newest), Node 20.20.2. Date: 2026-11-28.
# Hurts: imports of calendars: `DTSTART;VALUE=DATE:20270501` is stored, and its event is over.
# In our code: packages/contract reads instants before anything is stored. packages/store writes past mongoose's casts.
# Usage: findings/mongoose-date-digits.sh [version of mongoose]
set -euo pipefail
version=${1:-9.12.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "mongoose@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import mongoose from 'mongoose';

const Event = mongoose.model('Event', new mongoose.Schema({ start: Date }));
async function stored(start) {
  const event = new Event({ start });
  return event.validate().then(() => event.start?.toISOString().slice(0, 16), ({ name }) => name);
}
const texts = ['2027-05-01', '20270501', '1809129600', '2027', '12', 'Room 5', '20270501T100000Z', 'tomorrow'];
const seen = [];
for (const text of texts) seen.push({ text, stored: await stored(text) });
console.table(seen);
assert.deepEqual(seen.map((one) => one.stored), [
  '2027-05-01T00:00',
  '1970-01-01T05:37',
  '1970-01-21T22:32',
  '2027-01-01T00:00',
  '2001-12-01T00:00',
  '2001-05-01T00:00',
  'ValidationError',
  'ValidationError',
]);
EOF
TZ=UTC node look.mjs
