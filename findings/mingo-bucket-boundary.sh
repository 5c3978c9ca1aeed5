#!/usr/bin/env bash
# mingo's $bucket counts a value that equals a boundary in the bucket below it.
#
# Expected: in MongoDB's manual the lower boundary belongs to a bucket and the upper one to the next bucket. With
#   boundaries 0, 10 and 20, a value of 10 belongs to bucket 10.
# Instead: mingo counts it in bucket 0. It also returns buckets that are empty, which MongoDB leaves out.
# Version: mingo 7.2.6; 7.2.7 (the newest) does the same. Date: 2026-11-27.
# Hurts: histograms in tests that run on mingo: each round number is counted one bucket too low.
# In our code: tools/embedded-mongodb/src/aggregate/pipeline.ts rejects $bucket.
# Usage: findings/mingo-bucket-boundary.sh [version of mingo]
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

const rows = [0, 5, 10, 15, 20].map((n) => ({ n }));
const $bucket = { groupBy: '$n', boundaries: [0, 10, 20, 30, 40], output: { values: { $push: '$n' } } };
const buckets = new Aggregator([{ $bucket }]).run(rows);
console.log(`mingo ${process.argv[2]}, values 0, 5, 10, 15, 20, boundaries 0, 10, 20, 30, 40:`);
console.log(buckets);
const valuesOf = (id) => buckets.find(({ _id }) => _id === id)?.values;
assert.deepEqual([0, 10, 20, 30].map(valuesOf), [[0, 5, 10], [15, 20], [], []]);
EOF
node look.mjs "$version"
