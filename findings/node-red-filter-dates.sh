#!/usr/bin/env bash
# Node-RED's filter node never passes a Date on, and holds back an object whose Date has changed.
#
# Expected: "block unless value changes" passes the first message of a topic, and each one that differs from the one before.
# Instead: with a Date as payload none passes, not even the first. `{ at: 1 May }` passes, and `{ at: 1 June }` after it does not. An
#   empty object does not pass as the first message of a topic, an empty list does. Changes of a number in a nested list pass.
#   The node compares the fields of two objects, and a Date has none. Times that are texts or numbers work.
# Version: node-red 5.0.7 (the newest) with node-red-node-test-helper 0.3.6, Node 26.10.0. Date: 2026-11-29.
# Hurts: flows that react to a moved appointment, from a database node or a function: the change is dropped without a word.
# In our code: integrations/node-red-sluice sends times as texts.
# Usage: findings/node-red-filter-dates.sh [version of node-red]
set -euo pipefail
version=${1:-5.0.7}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
platform=$(node -p 'process.platform + "-" + process.arch')
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps \
  "node-red@$version" "@node-red/nodes@$version" node-red-node-test-helper@0.3.6 "node-$platform@26.10.0"
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { once } = require('node:events');
const filter = require('@node-red/nodes/core/function/rbe.js');
const helper = require('node-red-node-test-helper');

helper.init(require.resolve('node-red'));
const FLOW = [
  { id: 'filter', type: 'rbe', func: 'rbe', property: 'payload', wires: [['out']] },
  { id: 'out', type: 'helper' },
];
const may = new Date('2027-05-01T10:00:00Z');
const june = new Date('2027-06-01T10:00:00Z');
const CASES = {
  'a Date': [may, june],
  'an object with a Date': [{ at: may }, { at: june }],
  'an object with a text': [{ at: may.toJSON() }, { at: june.toJSON() }],
  'a number': [may.getTime(), june.getTime()],
  'an empty object': [{}],
  'an empty list': [[]],
  'a nested list': [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }],
};

async function look() {
  const passed = Object.fromEntries(Object.keys(CASES).map((topic) => [topic, 0]));
  helper.getNode('out').on('input', ({ topic }) => passed[topic]++);
  const node = helper.getNode('filter');
  for (const [topic, payloads] of Object.entries(CASES)) for (const payload of payloads) node.receive({ topic, payload });
  // Messages keep their order, so that of a last topic comes after all that pass.
  node.receive({ topic: 'end', payload: 1 });
  while ((await once(helper.getNode('out'), 'input'))[0].topic !== 'end');
  console.log('messages that pass, of those sent:');
  console.table(Object.fromEntries(Object.entries(CASES).map(([topic, { length }]) => [topic, { sent: length, passed: passed[topic] }])));
  assert.deepEqual(Object.values(passed).slice(0, 7), [0, 1, 2, 2, 0, 1, 2]);
  process.exit();
}
helper.startServer(() => helper.load(filter, FLOW, look));
EOF
"node_modules/node-$platform/bin/node" look.cjs
