#!/usr/bin/env bash
# mingo does not treat MongoDB's long integers as numbers.
#
# Expected: a value of bson's class Long, or a bigint, counts as the number that it is, as in MongoDB.
# Instead: `$sum` ignores both (a sum of 0, no error). Filters find neither 5 by 5 nor 5 by `$gt: 4`. Both are
#   ordered as texts: 10, 100, 2, 9.
# Version: mingo 7.2.6; 7.2.7 (the newest) does the same. Date: 2026-11-27.
# Hurts: tests that run on mingo in place of MongoDB, with counters or ids above 2^31 or sums of them.
# In our code: tools/embedded-mongodb/src/aggregate/run-pipeline.ts does the matching and sorting.
# Usage: findings/mingo-long-integers.sh [version of mingo]
set -euo pipefail
version=${1:-7.2.6}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "mingo@$version" bson@7.3.4

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { Long } from 'bson';
import { Aggregator, Query } from 'mingo';

const sum = (values) =>
  new Aggregator([{ $group: { _id: null, sum: { $sum: '$n' } } }]).run(values.map((n) => ({ n })))[0].sum;
const order = (values) =>
  new Aggregator([{ $sort: { n: 1 } }]).run(values.map((n) => ({ n }))).map(({ n }) => Number(n));
const finds = (filter, value) => new Query({ n: filter }).test({ n: value });

const KINDS = { number: Number, Long: (n) => Long.fromNumber(n), bigint: BigInt };
const seen = {};
for (const [kind, make] of Object.entries(KINDS)) {
  seen[kind] = {
    'sum of 1 and 2': sum([make(1), make(2)]),
    'finds 5 by 5': finds(5, make(5)),
    'finds 5 by $gt 4': finds({ $gt: 4 }, make(5)),
    order: order([make(100), make(9), make(10), make(2)]).join(' '),
  };
}
console.log(`mingo ${process.argv[2]}`);
console.table(seen);
const wrong = { 'sum of 1 and 2': 0, 'finds 5 by 5': false, 'finds 5 by $gt 4': false, order: '10 100 2 9' };
const right = { 'sum of 1 and 2': 3, 'finds 5 by 5': true, 'finds 5 by $gt 4': true, order: '2 9 10 100' };
assert.deepEqual(seen, { number: right, Long: wrong, bigint: wrong });
EOF
node look.mjs "$version"
