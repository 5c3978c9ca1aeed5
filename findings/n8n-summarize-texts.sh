#!/usr/bin/env bash
# n8n's Summarize adds prices that are texts up to 0, and finds that 5.00 is more than 100.00.
#
# Expected: the sum of "19.99", "5.00" and "100.00", as rows of CSV files and spreadsheets have them, is 124.99, or it is an error.
# Instead: the sum is 0, and the average NaN, which is null as JSON. Nothing is reported. If two of three rows have numbers, the sum is
#   that of the two. The minimum is "100.00", and the maximum "5.00", as texts are compared. A count counts them all.
# Version: n8n-nodes-base 2.41.0. The newest, 2.41.2, could not be installed. Date: 2026-11-29.
# Hurts: reports of revenue from an export: one row that a spreadsheet keeps as text is left out.
# In our code: nothing; a price of an event is a text that only people read (packages/contract/src/event-fields.ts).
# Usage: findings/n8n-summarize-texts.sh [version of n8n-nodes-base]
set -euo pipefail
version=${1:-2.41.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps "n8n-nodes-base@$version" 2>/dev/null
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { Summarize } = require('n8n-nodes-base/dist/nodes/Transform/Summarize/Summarize.node.js');

async function summary(...prices) {
  const hints = [];
  const parameters = {
    'fieldsToSummarize.values': ['sum', 'average', 'min', 'max', 'count'].map((aggregation) => ({ aggregation, field: 'price' })),
    options: {},
  };
  const context = {
    getInputData: () => prices.map((price) => ({ json: { price } })),
    getNodeParameter: (name, _index, fallback) => parameters[name] ?? fallback,
    getNode: () => ({ name: 'Summarize', typeVersion: 1.1 }),
    addExecutionHints: (...more) => hints.push(...more),
  };
  const [[{ json }]] = await new Summarize().execute.call(context);
  const { sum_price, average_price, min_price, max_price, count_price } = json;
  assert.deepEqual(hints, [], 'nothing is reported');
  return { sum: sum_price, average: average_price, min: min_price, max: max_price, count: count_price };
}

(async () => {
  const seen = {
    texts: await summary('19.99', '5.00', '100.00'),
    'one text': await summary(20, '5.00', 100),
    numbers: await summary(20, 5, 100),
  };
  console.table(seen);
  assert.deepEqual(seen.texts, { sum: 0, average: NaN, min: '100.00', max: '5.00', count: 3 });
  assert.deepEqual([seen['one text'].sum, seen['one text'].average, seen['one text'].count], [120, 60, 3]);
  assert.deepEqual(seen.numbers, { sum: 125, average: 125 / 3, min: 5, max: 100, count: 3 });
})();
EOF
node look.cjs
