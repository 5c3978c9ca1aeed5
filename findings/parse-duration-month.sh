#!/usr/bin/env bash
# parse-duration reads the month of `P1M` as a minute, "1,5 h" as 15 hours, and "1:30" as a millisecond.
#
# Expected: `P1M` is a month, as `PT15M`, `P1D` and `P2W` are read as ISO 8601 has them, or it is null, as an unknown text is. "1,5 h" is
#   an hour and a half, or null. "1:30" is 90 minutes or seconds, or null.
# Instead: letters have no case, and P and T are ignored, so `P1M` and `PT1M` are both 60 seconds. A comma between digits is dropped, as
#   documented for thousands, also before a single digit. Numbers around a colon are milliseconds and microseconds: 1.03 ms.
# Version: parse-duration 2.1.9 (the newest). Date: 2026-11-29.
# Hurts: settings such as "remind me after P1M" or "keep for 1,5 h": a reminder after a minute, and no error.
# In our code: variables in packages/runtime/src/config name their unit.
# Usage: findings/parse-duration-month.sh [version of parse-duration]
set -euo pipefail
version=${1:-2.1.9}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "parse-duration@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import parse from 'parse-duration';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const seen = Object.fromEntries(['PT15M', 'P1D', 'P2W', 'P1M', 'PT1M', '1 month', '1.5 h', '1,5 h', '1:30', 'hello'].map((text) => [text, parse(text)]));
console.log(seen);
assert.deepEqual(seen, {
  PT15M: 15 * minute,
  P1D: day,
  P2W: 14 * day,
  P1M: minute,
  PT1M: minute,
  '1 month': 30.4375 * day,
  '1.5 h': 1.5 * hour,
  '1,5 h': 15 * hour,
  '1:30': 1.03,
  hello: null,
});
EOF
node look.mjs
