#!/usr/bin/env bash
# In n8n, 0 and false are empty for isEmpty(), and not for $ifEmpty().
#
# Expected: one meaning of "empty" in the expressions of a workflow.
# Instead: `(0).isEmpty()` and `(false).isEmpty()` are true, so `isNotEmpty()` drops them. `$ifEmpty(0, 5)` is 0, `compact()` of
#   an object keeps 0 and false. A text that has only blanks is not empty for any of them.
# Version: n8n-workflow 2.41.0 (the newest). Date: 2026-11-28.
# Hurts: workflows that skip missing fields: a lead with 0 rooms, or a switch that is off, counts as missing.
# In our code: no expression of integrations/n8n-nodes-sluice asks whether a field is empty.
# Usage: findings/n8n-empty-zero.sh [version of n8n-workflow]
set -euo pipefail
version=${1:-2.41.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "n8n-workflow@$version"
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { Workflow } = require('n8n-workflow');

const description = { properties: [] };
const nodeTypes = { getByNameAndVersion: () => ({ description }), getByName: () => ({ description }), getKnownTypes: () => ({}) };
const node = { id: 'n', name: 'n', type: 'test', typeVersion: 1, position: [0, 0], parameters: {} };
const workflow = new Workflow({ id: '1', nodes: [node], connections: {}, active: false, nodeTypes });
const json = { zero: 0, off: false, text: '', blank: ' ', nothing: null, list: [] };
const shown = (expression) => workflow.expression.getParameterValue(`={{ ${expression} }}`, null, 0, 0, 'n', [{ json }], 'manual', {});

const seen = Object.keys(json).map((name) => ({
  field: JSON.stringify(json[name]),
  'isEmpty()': shown(`$json.${name}.isEmpty()`),
  'isNotEmpty()': shown(`$json.${name}.isNotEmpty()`),
  '$ifEmpty(field, 5)': JSON.stringify(shown(`$ifEmpty($json.${name}, 5)`)),
  'compact() keeps it': name in shown('$json.compact()'),
}));
console.table(seen);
assert.deepEqual(seen.map((row) => row['isEmpty()']), [true, true, true, false, true, true]);
assert.deepEqual(seen.map((row) => row['$ifEmpty(field, 5)']), ['0', 'false', '5', '" "', '5', '5']);
assert.deepEqual(seen.map((row) => row['compact() keeps it']), [true, true, false, true, false, false]);
EOF
node look.cjs
