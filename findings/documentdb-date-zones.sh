#!/usr/bin/env bash
# DocumentDB's $dateTrunc with a time zone returns a day that is hours or days off, and a month after the date.
#
# Expected: the day of 2027-10-31 12:00Z in Berlin begins at 2027-10-30 22:00Z, the month of 2027-05-01 02:00Z in New York on 1 April.
#   $dateToString without a format writes a local time without "Z", as MongoDB does.
# Instead: they are 2027-10-27 22:00Z and 2027-05-01 04:00Z. East of Greenwich, an hour before midnight in UTC has the day before.
#   $dateToString writes 04:00 of Berlin as "04:00:00.000Z". $dateDiff is right.
# Version: DocumentDB 1.0-0 on PostgreSQL 18 (Debian's package). Driver: mongodb 7.8.0. Date: 2026-11-28.
# Hurts: counts by day or month of a local zone: rows move to other days.
# In our code: no aggregation; the database finds and writes documents.
# Needs a DocumentDB at MONGO_URL. Usage: MONGO_URL=mongodb://… findings/documentdb-date-zones.sh
set -euo pipefail
[ -n "${MONGO_URL:-}" ] || { echo 'This finding needs the address of a DocumentDB in MONGO_URL.'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts mongodb@7.8.0
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { MongoClient } from 'mongodb';

const client = await new MongoClient(process.env.MONGO_URL).connect();
const db = client.db(`findings_${process.pid}_${Date.now()}`);
const compute = async (value) => (await db.collection('one').aggregate([{ $project: { value } }]).toArray())[0].value;

const [BERLIN, NEW_YORK] = ['Europe/Berlin', 'America/New_York'];
/** A date, its zone and a unit; what MongoDB's manual asks for; what DocumentDB returns. */
const TRUNCATED = [
  ['2027-10-31T12:00Z', BERLIN, 'day', '2027-10-30T22:00Z', '2027-10-27T22:00Z'],
  ['2027-04-30T22:30Z', BERLIN, 'day', '2027-04-30T22:00Z', '2027-04-29T22:00Z'],
  ['2027-03-28T12:00Z', BERLIN, 'day', '2027-03-27T23:00Z', '2027-03-28T22:00Z'],
  ['2027-05-01T02:00Z', NEW_YORK, 'month', '2027-04-01T04:00Z', '2027-05-01T04:00Z'],
  ['2027-01-01T02:00Z', NEW_YORK, 'year', '2026-01-01T05:00Z', '2027-01-01T05:00Z'],
  ['2027-05-01T02:00Z', '-05:00', 'month', '2027-04-01T05:00Z', '2027-05-01T05:00Z'],
  ['2027-05-01T12:00Z', 'UTC', 'day', '2027-05-01T00:00Z', '2027-05-01T00:00Z'],
];
try {
  await db.collection('one').insertOne({});
  const seen = [];
  for (const [date, timezone, unit, manual] of TRUNCATED) {
    const instant = await compute({ $dateTrunc: { date: new Date(date), unit, timezone } });
    seen.push({ date, timezone, unit, manual, documentdb: `${instant.toISOString().slice(0, 16)}Z` });
  }
  console.table(seen);
  assert.deepEqual(seen.map((row) => row.documentdb), TRUNCATED.map((row) => row[4]));
  const text = await compute({ $dateToString: { date: new Date('2027-05-01T02:00Z'), timezone: BERLIN } });
  const days = await compute({
    $dateDiff: { startDate: new Date('2027-04-30T21:30Z'), endDate: new Date('2027-04-30T22:30Z'), unit: 'day', timezone: BERLIN },
  });
  console.log('02:00Z in Berlin as text:', text, '$dateDiff over midnight in Berlin:', days);
  assert.equal(text, '2027-05-01T04:00:00.000Z');
  assert.equal(Number(days), 1);
} finally {
  await db.dropDatabase();
  await client.close();
}
EOF
node look.mjs
