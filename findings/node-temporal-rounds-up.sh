#!/usr/bin/env bash
# Node's Temporal rounds a year and a day to a year and a month.
#
# Expected: 15 January 2027 to 16 January 2028, in years and months, to the nearest month, is `P1Y`, as two polyfills say. So is
#   `P1Y` itself, which needs no rounding. `P1M1D` in months and weeks is `P1M`.
# Instead: Node returns `P1Y1M` and `P1M1W`. It adds one unit whenever the smallest unit would be 0 beside a larger one: in `until()`,
#   `since()` and `Duration.round()`, whose default is the nearest unit. With a time zone it also makes `P1W1D` of a week and an hour.
#   It is right if the largest and the smallest unit are the same, if there is a whole smallest unit, and with `total()`.
# Versions: Node 26.10.0 and 26.12.1 (newest), temporal-polyfill 1.0.8, @js-temporal/polyfill 0.5.1 (both newest).
#   Date: 2026-11-29.
# Hurts: ages, subscriptions and rents in years and months, on each anniversary and soon after it. Tests with a polyfill on an older
#   Node pass. temporal-polyfill exports Node's own Temporal where there is one.
# In our code: no Temporal; packages/contract keeps instants as milliseconds.
# Usage: findings/node-temporal-rounds-up.sh [version of Node]
set -euo pipefail
version=${1:-26.12.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
platform=$(node -p 'process.platform + "-" + process.arch')
npm install --silent --no-audit --no-fund --ignore-scripts "node-$platform@$version" temporal-polyfill@1.0.8 @js-temporal/polyfill@0.5.1
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { Temporal as reference } from '@js-temporal/polyfill';
import { Temporal as exported } from 'temporal-polyfill';
import { Temporal as polyfill } from 'temporal-polyfill/implementation';

const CASES = {
  'a year and a day, until()': ({ PlainDate }) =>
    PlainDate.from('2027-01-15').until('2028-01-16', {
      largestUnit: 'year',
      smallestUnit: 'month',
      roundingMode: 'halfExpand',
    }),
  'a year': ({ Duration }) => years(Duration, 'P1Y'),
  'a year and a day': ({ Duration }) => years(Duration, 'P1Y1D'),
  'a year, a month and a day': ({ Duration }) => years(Duration, 'P1Y1M1D'),
  'a year and a day, in months': ({ Duration }) =>
    Duration.from('P1Y1D').round({ largestUnit: 'month', smallestUnit: 'month', relativeTo: '2027-01-15' }),
  'a month and a day': ({ Duration }) =>
    Duration.from('P1M1D').round({ largestUnit: 'month', smallestUnit: 'week', relativeTo: '2027-01-15' }),
  'a week and an hour': ({ Duration }) => weeks(Duration, '2027-05-01T09:00'),
  'a week and an hour in Berlin': ({ Duration }) => weeks(Duration, '2027-05-01T09:00[Europe/Berlin]'),
};
const years = (Duration, text) =>
  Duration.from(text).round({ largestUnit: 'year', smallestUnit: 'month', relativeTo: '2027-01-15' });
const weeks = (Duration, relativeTo) =>
  Duration.from('P1WT1H').round({ largestUnit: 'week', smallestUnit: 'day', relativeTo });

console.log('Node', process.version, 'V8', process.versions.v8);
const seen = {};
for (const [name, look] of Object.entries(CASES))
  seen[name] = { Node: `${look(Temporal)}`, 'temporal-polyfill': `${look(polyfill)}`, reference: `${look(reference)}` };
console.table(seen);
assert.deepEqual(Object.values(seen).map(({ Node }) => Node),
  ['P1Y1M', 'P1Y1M', 'P1Y1M', 'P1Y1M', 'P12M', 'P1M1W', 'P1W', 'P1W1D']);
for (const other of ['temporal-polyfill', 'reference'])
  assert.deepEqual(Object.values(seen).map((row) => row[other]),
    ['P1Y', 'P1Y', 'P1Y', 'P1Y1M', 'P12M', 'P1M', 'P1W', 'P1W']);
assert.equal(exported, Temporal);

const total = Temporal.Duration.from('P1Y1D').total({ unit: 'month', relativeTo: '2027-01-15' });
console.log('total() of a year and a day, in months:', total);
assert.ok(total > 12 && total < 12.1);
EOF
"node_modules/node-$platform/bin/node" look.mjs
