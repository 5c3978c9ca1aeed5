#!/usr/bin/env bash
# A document of more than 19 fields that bson decodes is a slow object.
#
# Expected: decoded documents of one shape share a hidden class, as with JSON.parse, with any number of fields.
# Instead: bson adds field after field by name. From 20 fields on V8 makes a dictionary of each document. Each access is
#   then a lookup by name, and each document has a separate hash table. Documents stay fast where other code has made
#   an object of the same shape before, so a benchmark that begins with JSON sees nothing.
# Versions: bson 7.3.4 (the newest) on Node 20.20.2 and 26.10.0. Date: 2026-11-27.
# Hurts: reading wide documents in numbers: the driver, mongoose's lean() and all code that uses them.
# In our code: packages/store/src/events/event-bytes.ts reads events into an object that has all its fields from the start.
# Usage: findings/bson-wide-documents.sh [version of bson]
set -euo pipefail
version=${1:-7.3.4}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "bson@$version"

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { deserialize, serialize } = require('bson');
const isFast = new Function('object', 'return %HasFastProperties(object)');

/** A document whose field names occur in no other. It is a Map, so that no object of its shape is made here. */
function document(name, fields) {
  return new Map(Array.from({ length: fields }, (_, i) => [`${name}${i}`, `value ${i}`]));
}
/** The kind of object of the documents once the code is warm. */
function kindOf(decode) {
  for (let i = 0; i < 10_000; i++) decode();
  return isFast(decode()) ? 'fast' : 'a dictionary';
}
const seen = [12, 19, 20, 40].map((fields) => {
  const bytes = serialize(document(`bson${fields}_`, fields));
  const text = JSON.stringify(Object.fromEntries(document(`json${fields}_`, fields)));
  return { fields, bson: kindOf(() => deserialize(bytes)), json: kindOf(() => JSON.parse(text)) };
});
console.log(process.version);
console.table(seen);

const names = document('same', 40);
const bytes = serialize(names);
JSON.parse(JSON.stringify(Object.fromEntries(names)));
const afterJson = kindOf(() => deserialize(bytes));
console.log('40 fields, after JSON.parse has made an object of the same shape:', afterJson);
assert.deepEqual(seen.map(({ bson }) => bson), ['fast', 'fast', 'a dictionary', 'a dictionary']);
assert.ok(seen.every(({ json }) => json === 'fast'));
assert.equal(afterJson, 'fast');
EOF

platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" --allow-natives-syntax look.cjs
done
