#!/usr/bin/env bash
# fast-json-stringify writes the day before, where a Date is midnight in UTC and the machine is west of Greenwich.
#
# Expected: a Date of a field with `format: date` is its day in UTC, as `date-time` beside it is in UTC.
# Instead: the day is that of the machine's zone: 2027-05-01T00:00:00Z is "2027-04-30" in New York. `time` is local too, without an
#   offset.
# Version: fast-json-stringify 7.3.10 (the newest), which fastify 5.12.8 (the newest) uses. Date: 2026-11-28.
# Hurts: APIs of Fastify whose days come from MongoDB, or from `new Date('2027-05-01')`: birthdays and due dates move by a day.
# In our code: days are texts, and instants numbers, in packages/contract. No serializer makes them.
# Usage: findings/fast-json-stringify-date.sh [version of fast-json-stringify]
set -euo pipefail
version=${1:-7.3.10}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "fast-json-stringify@$version"
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const build = require('fast-json-stringify');

const field = (format) => ({ type: 'string', format });
const write = build({ type: 'object', properties: { day: field('date'), at: field('date-time'), time: field('time') } });
const at = new Date('2027-05-01T00:00:00Z');
const seen = JSON.parse(write({ day: at, at, time: at }));
console.log(process.env.TZ, seen);
const expected = {
  UTC: { day: '2027-05-01', time: '00:00:00' },
  'America/New_York': { day: '2027-04-30', time: '20:00:00' },
}[process.env.TZ];
assert.deepEqual(seen, { ...expected, at: '2027-05-01T00:00:00.000Z' });
EOF
TZ=UTC node look.cjs
TZ=America/New_York node look.cjs
