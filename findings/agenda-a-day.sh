#!/usr/bin/env bash
# Agenda takes "a day", "every hour" or "half an hour" as an interval of 0.
#
# Expected: `every('an hour', …)` is an hour, or an error, as with "90 mins" and "daily".
# Instead: a word that human-interval does not know is passed over, and a unit without a number beside it counts 0 times: the next run
#   is at the moment of the last one. "hour" alone is an hour. "two and a half hours" are two, "1,5 hours" one.
# Versions: agenda 6.2.6, human-interval 2.0.1 (both newest). Date: 2026-11-28.
# Hurts: a task of every hour that is due again as soon as it has run: reminders are sent over and over.
# In our code: intervals are numbers of milliseconds, checked in packages/runtime/src/config.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts agenda@6.2.6 human-interval@2.0.1
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
// What Agenda computes after each run of every(). The package exports it to itself only.
import { computeFromInterval } from './node_modules/agenda/dist/utils/nextRunAt.js';

const last = new Date('2027-05-01T10:00:00Z');
const minutes = (repeatInterval) => {
  try {
    return (computeFromInterval({ name: 'remind', repeatInterval, lastRunAt: last }) - last) / 60_000;
  } catch (error) {
    return error.message.slice(0, 34);
  }
};
const expected = {
  '1 hour': 60,
  hour: 60,
  'an hour': 0,
  'a day': 0,
  'every hour': 0,
  'every 5 minutes': 0,
  'half an hour': 0,
  'two and a half hours': 120,
  '1,5 hours': 60,
  '1.5 hours': 90,
  '90 mins': 'failed to calculate nextRunAt due ',
  daily: 'failed to calculate nextRunAt due ',
};
const seen = Object.fromEntries(Object.keys(expected).map((text) => [text, minutes(text)]));
console.log('minutes to the next run:', seen);
assert.deepEqual(seen, expected);
EOF
node look.mjs
