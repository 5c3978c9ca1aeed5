#!/usr/bin/env bash
# mingo's $dateTrunc returns an instant after the date that it truncates, and months are added past their end.
#
# Expected: what MongoDB's manual describes. The day of 2027-04-30 22:00 in New York begins at 2027-04-30T04:00Z. 31 January and a month
#   is 28 February. The parts `year: 2027` are 1 January 2027. 10:00 in New York is 15:00Z in January and 14:00Z in July. "UTC" is a zone.
# Instead: the day begins at 2027-05-01T04:00Z, two hours after the date. 31 January and a month is 3 March. The
#   year is 2026-11-30. January and July get one offset, that of the day of the run. "UTC" and zones with two slashes are errors.
# Version: mingo 7.2.6; 7.2.7 (the newest) does the same. Date: 2026-11-28.
# Hurts: reports by local day in tests that run on mingo: rows of the evening are counted on the wrong day.
# In our code: tools/embedded-mongodb/src/aggregate/pipeline.ts rejects these expressions.
# Usage: findings/mingo-time-zones.sh [version of mingo]
set -euo pipefail
version=${1:-7.2.6}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "mingo@$version"

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { Aggregator } from 'mingo';

function valueOf(expression) {
  const [{ value }] = new Aggregator([{ $project: { _id: 0, value: expression } }]).run([{}]);
  return value instanceof Date ? value.toISOString().replace(':00.000Z', 'Z') : value;
}
function outcomeOf(expression) {
  try {
    return valueOf(expression);
  } catch ({ message }) {
    return message;
  }
}
const date = new Date('2027-05-01T02:00Z');
const zone = (timezone) => outcomeOf({ $dateToString: { date, timezone, format: '%H:%M' } });
const newYork = { timezone: 'America/New_York' };
const dayOf = (timezone) => valueOf({ $dateTrunc: { date, unit: 'day', timezone } });
const utcHour = (month) => valueOf({ $hour: { $dateFromParts: { year: 2027, month, day: 15, hour: 10, ...newYork } } });

const seen = {
  'day in New York': dayOf('America/New_York'),
  'day in UTC': dayOf('+00:00'),
  'a month after 31 January': valueOf({ $dateAdd: { startDate: new Date('2027-01-31T12:00Z'), unit: 'month', amount: 1 } }),
  'the parts year 2027': valueOf({ $dateFromParts: { year: 2027 } }),
  'a day after 27 March 9:00 in Berlin': valueOf({
    $dateAdd: { startDate: new Date('2027-03-27T08:00Z'), unit: 'day', amount: 1, timezone: 'Europe/Berlin' },
  }),
  'is 10:00 in New York one hour of UTC all year?': utcHour(1) === utcHour(7),
  UTC: zone('UTC'),
  'America/Argentina/Salta': zone('America/Argentina/Salta'),
};
console.log(`mingo ${process.argv[2]}, 2027-05-01T02:00Z`);
console.log(seen);
assert.deepEqual(Object.values(seen), [
  '2027-05-01T04:00Z', // MongoDB: 2027-04-30T04:00Z
  '2027-05-01T00:00Z',
  '2027-03-03T12:00Z', // MongoDB: 2027-02-28T12:00Z
  '2026-11-30T00:00Z', // MongoDB: 2027-01-01T00:00Z
  '2027-03-28T08:00Z', // MongoDB: 2027-03-28T07:00Z
  true, // MongoDB: 15 and 14
  "timezone 'UTC' is invalid or not supported.",
  "timezone 'America/Argentina/Salta' is invalid or not supported.",
]);
EOF
node look.mjs "$version"
