#!/usr/bin/env bash
# Node's assert finds any two instants of Temporal deeply equal, so that a test of them cannot fail.
#
# Expected: deepStrictEqual() and libraries like it compare two Temporal values as they compare two Dates.
# Instead: a Temporal value has no properties of its own, and they compare properties. An Instant of 2027 equals one of 2028, also
#   inside of objects, for Node, dequal and underscore. For lodash no two are equal. fast-deep-equal throws. chai is right.
# Versions: Node 26.10.0, dequal 2.0.3, underscore 1.13.8, lodash 4.18.1, fast-deep-equal 3.1.3, chai 6.3.0 (all newest).
#   Date: 2026-11-28.
# Hurts: code that moves from Date to Temporal: tests pass whatever it does, and a watcher of changes sees none, or one each time.
# In our code: instants are texts (packages/contract/src), and tests compare with chai.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
platform=$(node -p 'process.platform + "-" + process.arch')
npm install --silent --no-audit --no-fund --ignore-scripts "node-$platform@26.10.0" \
  dequal@2.0.3 underscore@1.13.8 lodash@4.18.1 fast-deep-equal@3.1.3 chai@6.3.0
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { dequal } from 'dequal';
import fastDeepEqual from 'fast-deep-equal';
import lodash from 'lodash';
import underscore from 'underscore';

const instant = (year) => Temporal.Instant.from(`${year}-05-01T10:00Z`);
const day = (year) => Temporal.PlainDate.from(`${year}-05-01`);
/** Whether a comparison that throws if values differ has found them equal. */
const passes = (compare) => (a, b) => {
  try {
    compare(a, b);
    return true;
  } catch ({ name, message }) {
    return name === 'AssertionError' ? false : message.slice(0, 18);
  }
};
const WAYS = {
  'assert.deepStrictEqual': passes(assert.deepStrictEqual),
  'util.isDeepStrictEqual': isDeepStrictEqual,
  dequal,
  underscore: underscore.isEqual,
  lodash: lodash.isEqual,
  'fast-deep-equal': passes(fastDeepEqual),
  chai: passes((a, b) => expect(a).to.deep.equal(b)),
};
const seen = {};
for (const [way, equal] of Object.entries(WAYS))
  seen[way] = {
    'the same': equal(instant(2027), instant(2027)),
    'a year later': equal(instant(2027), instant(2028)),
    'inside of objects': equal({ start: day(2027) }, { start: day(2028) }),
  };
console.log(`${process.version}: are two Temporal values equal?`);
console.table(seen);
const all = [true, true, true];
const none = [false, false, false];
const refusal = Array(3).fill('Do not use Tempora');
assert.deepEqual(Object.values(seen).map(Object.values), [all, all, all, all, none, refusal, [true, false, false]]);
EOF
"node_modules/node-$platform/bin/node" look.mjs
