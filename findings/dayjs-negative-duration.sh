#!/usr/bin/env bash
# dayjs reads "-PT15M" as 15 minutes later, also if it has written that text.
#
# Expected: `dayjs.duration('-PT15M')` is -15 minutes, as luxon, moment and tinyduration read it. The alarms of iCalendar have this form
#   (RFC 5545). What `toISOString()` writes, `duration()` reads as the same length, or throws.
# Instead: it is 15 minutes, and so it is for iso8601-duration. `add()` of it moves a time forward. A duration of -15 minutes is written
#   as "-PT15M" and read as its opposite. `PT-15M`, which RFC 5545 does not have, is read as -15.
# Versions: dayjs 1.11.23, iso8601-duration 2.1.4, luxon 3.7.2, moment 2.31.0, tinyduration 3.4.1 (all newest). Date: 2026-11-29.
# Hurts: reminders and deadlines before an event: they come after it, and stored durations lose their sign.
# In our code: packages/icalendar reads durations by itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts \
  dayjs@1.11.23 iso8601-duration@2.1.4 luxon@3.7.2 moment@2.31.0 tinyduration@3.4.1
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import dayjs from 'dayjs';
import duration from 'dayjs/plugin/duration.js';
import { parse, toSeconds } from 'iso8601-duration';
import { Duration } from 'luxon';
import moment from 'moment';
import { parse as parseTiny } from 'tinyduration';

dayjs.extend(duration);
const tiny = ({ negative, days = 0, minutes = 0 }) => (days * 1440 + minutes) * (negative ? -1 : 1);
const READERS = {
  dayjs: (text) => dayjs.duration(text).asMinutes(),
  'iso8601-duration': (text) => toSeconds(parse(text)) / 60,
  luxon: (text) => Duration.fromISO(text).as('minutes'),
  moment: (text) => moment.duration(text).asMinutes(),
  tinyduration: (text) => tiny(parseTiny(text)),
};
const seen = {};
for (const text of ['PT15M', '-PT15M', '-P1D'])
  seen[text] = Object.fromEntries(Object.entries(READERS).map(([name, read]) => [name, read(text)]));
console.table(seen);
assert.deepEqual(Object.values(seen).map(Object.values), [
  [15, 15, 15, 15, 15],
  [15, 15, -15, -15, -15],
  [1440, 1440, -1440, -1440, -1440],
]);

const event = dayjs('2027-05-01T10:00:00Z');
const alarm = event.add(dayjs.duration('-PT15M'));
console.log('alarm of an event at', event.toISOString(), 'with the trigger -PT15M:', alarm.toISOString());
assert.equal(alarm.toISOString(), '2027-05-01T10:15:00.000Z');

const written = dayjs.duration(-15, 'minutes').toISOString();
console.log('-15 minutes are written as', written, 'and read as', dayjs.duration(written).asMinutes());
assert.equal(written, '-PT15M');
assert.equal(dayjs.duration(written).asMinutes(), 15);
assert.equal(dayjs.duration('PT-15M').asMinutes(), -15);
EOF
node look.mjs
