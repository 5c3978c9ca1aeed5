#!/usr/bin/env bash
# date-fns-tz reads a time that the clocks skip as an hour early, and one that they show twice as the second.
#
# Expected: 2026-03-29 02:30 in Berlin becomes 3:30, as with Temporal, RFC 5545 (3.3.5), Luxon and dayjs.
# Instead: fromZonedTime returns 00:30 UTC, which is 1:30. The time that is shown twice is the second, where Temporal and RFC 5545
#   have the first.
# Version: date-fns-tz 3.2.0 (the newest). Date: 2026-11-28.
# Hurts: senders that compute the instant of an event, and compare it with the one that a calendar has.
# In our code: docs/sending-events.md asks for an instant with its offset.
# Usage: findings/date-fns-tz-skipped-time.sh [version of date-fns-tz]
set -euo pipefail
version=${1:-3.2.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "date-fns-tz@$version" date-fns@4.4.0 temporal-polyfill@1.0.8
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { fromZonedTime } from 'date-fns-tz';
import { Temporal } from 'temporal-polyfill';

const zone = 'Europe/Berlin';
const read = (local) => {
  const ours = fromZonedTime(local, zone).toISOString();
  const temporal = new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds).toISOString();
  console.log(`${local}: date-fns-tz ${ours}, Temporal ${temporal}`);
  return [ours.slice(11, 16), temporal.slice(11, 16)];
};
assert.deepEqual(read('2026-07-05T02:30'), ['00:30', '00:30']);
assert.deepEqual(read('2026-03-29T02:30'), ['00:30', '01:30']);
assert.deepEqual(read('2026-10-25T02:30'), ['01:30', '00:30']);
EOF
node look.mjs
