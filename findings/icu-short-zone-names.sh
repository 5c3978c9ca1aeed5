#!/usr/bin/env bash
# Intl takes short names for time zones that IANA does not know, with meanings from far away.
#
# Expected: `new Intl.DateTimeFormat('en', { timeZone: 'BST' })` throws a RangeError, because IANA has no zone BST.
# Instead: ICU keeps names of an old Java table. BST is Bangladesh, NST is New Zealand, PST and CST are zones of the United
#   States with their summer time. Only the names that IANA knows too, such as EST, mean what a calendar program means.
# Versions: Node 20.20.2 (ICU 78), Node 26.10.0. Date: 2026-11-27.
# Hurts: a reader of calendars that asks Intl whether a TZID is a zone. A British "BST" becomes six hours wrong, in silence.
# In our code: packages/icalendar/src/named-zone.ts leaves these names out; the VTIMEZONE of the calendar decides first.
# Usage: findings/icu-short-zone-names.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';

console.log(`Node ${process.versions.node}, ICU ${process.versions.icu}, tz ${process.versions.tz}`);
const zoneOf = (timeZone) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
const seen = Object.fromEntries(['BST', 'NST', 'PST', 'CST', 'IST'].map((name) => [name, zoneOf(name)]));
console.log(seen);
assert.equal(seen.BST, 'Asia/Dhaka');
assert.equal(seen.NST, 'Pacific/Auckland');
assert.equal(seen.PST, 'America/Los_Angeles');
assert.ok(!Intl.supportedValuesOf('timeZone').includes('BST'), 'BST is listed now');
assert.throws(() => zoneOf('CEST'), RangeError);
EOF
node look.mjs
