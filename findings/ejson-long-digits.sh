#!/usr/bin/env bash
# EJSON, the JSON of MongoDB, rounds a long integer, when it writes one and when it reads one.
#
# Expected: `EJSON.parse(EJSON.stringify(document))` is the document, as keeping BSON's types is what EJSON is for. JSON itself has no
#   limit for digits.
# Instead: 9007199254740993 becomes …992, from a Long or a bigint. `stringify(document, { relaxed: false })` writes all digits, but
#   `parse()` rounds them too, unless it has `{ relaxed: false }` or `{ useBigInt64: true }`. Without EJSON, a Long of 2^40 that is read
#   and written again is stored as a double, and one of 5 as an int.
# Version: bson 7.3.4 (the newest). Date: 2026-11-29.
# Hurts: exports, caches and messages between services with IDs of other systems (of 64 bits): the wrong contact is found, or none.
# In our code: packages/store keeps IDs as texts and counts below 2^53; only tools/embedded-mongodb uses EJSON.
# Usage: findings/ejson-long-digits.sh [version of bson]
set -euo pipefail
version=${1:-7.3.4}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "bson@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { deserialize, EJSON, Long, serialize } from 'bson';

const ID = '9007199254740993';
const written = (value, options) => EJSON.stringify({ id: value }, options);
const read = (text, options) => String(EJSON.parse(text, options).id);
const texts = {
  'Long': written(Long.fromString(ID)),
  'bigint': written(BigInt(ID)),
  'Long, relaxed: false': written(Long.fromString(ID), { relaxed: false }),
};
console.log('written:', texts);
assert.deepEqual(Object.values(texts), [`{"id":9007199254740992}`, `{"id":9007199254740992}`, `{"id":{"$numberLong":"${ID}"}}`]);

const exact = texts['Long, relaxed: false'];
const values = {
  'no options': read(exact),
  'relaxed: false': read(exact, { relaxed: false }),
  'useBigInt64: true': read(exact, { useBigInt64: true }),
};
console.log('read from', exact, values);
assert.deepEqual(Object.values(values), ['9007199254740992', ID, ID]);

/** The BSON type of a value, once it has been written, read and written again. */
const typeAfter = (value) => serialize(deserialize(serialize({ value }))).at(4);
const types = { '5': typeAfter(Long.fromNumber(5)), '2^40': typeAfter(Long.fromNumber(2 ** 40)), [ID]: typeAfter(Long.fromString(ID)) };
console.log('BSON type of a Long (18) that is read and written again:', types);
assert.deepEqual(types, { '5': 16, '2^40': 1, [ID]: 18 });
EOF
node look.mjs
