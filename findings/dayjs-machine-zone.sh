#!/usr/bin/env bash
# What dayjs shows in one zone depends on the zone of the machine, on the days on which that zone changes its clocks.
#
# Expected: 2026-03-29 02:30 in New York, where nothing changes on that day, is shown as 02:30 on every machine.
# Instead: a machine in Berlin, which skips 2:30 on that day, shows 01:30. A day added to 9:00 in Berlin keeps the offset of the day
#   before: the instant is an hour late on a machine in UTC, and the text has the wrong offset on both.
# Version: dayjs 1.11.23 (the newest). Date: 2026-11-28.
# Hurts: senders that format a start: a test passes on a laptop, and the server sends other times, twice a year.
# In our code: no dayjs. packages/contract and packages/icalendar compute with the offsets of Intl.
# Usage: findings/dayjs-machine-zone.sh [version of dayjs]
set -euo pipefail
version=${1:-1.11.23}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "dayjs@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);
dayjs.extend(timezone);
const inNewYork = dayjs.tz('2026-03-29T02:30', 'America/New_York').format();
const nextDay = dayjs.tz('2026-03-28T09:00', 'Europe/Berlin').add(1, 'day');
console.log(`machine in ${process.env.TZ}: 2026-03-29 02:30 in New York is shown as ${inNewYork}`);
console.log(`  the day after 2026-03-28 09:00 in Berlin is ${nextDay.format()}, ${nextDay.toISOString()}`);
const inBerlin = process.env.TZ === 'Europe/Berlin';
assert.equal(inNewYork, inBerlin ? '2026-03-29T01:30:00-04:00' : '2026-03-29T02:30:00-04:00');
assert.equal(nextDay.toISOString(), inBerlin ? '2026-03-29T07:00:00.000Z' : '2026-03-29T08:00:00.000Z');
assert.equal(nextDay.format(), '2026-03-29T09:00:00+01:00', 'the offset is +02:00 now');
EOF
TZ=UTC node look.mjs
TZ=Europe/Berlin node look.mjs
