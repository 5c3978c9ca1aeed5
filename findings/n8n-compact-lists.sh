#!/usr/bin/env bash
# In n8n, compact() turns the lists within an object into objects, and merge() loses what the other list has no partner for.
#
# Expected: `compact()` removes empty values and leaves `tags: ["a","b"]` a list. `[{a:1},{b:2}].merge([{c:3}])` has a, b and c.
# Instead: the tags are `{"0":"a","1":"b"}`, without a length, and an empty list is removed. merge() pairs the elements by their
#   position, and leaves out b.
# Version: n8n-workflow 2.41.0 (the newest). Date: 2026-11-28.
# Hurts: workflows that tidy a record before they send it on: the receiver gets an object where it reads a list.
# In our code: docs/integrations.md warns of it, because a lead has tags. integrations/n8n-nodes-sluice uses neither.
# Usage: findings/n8n-compact-lists.sh [version of n8n-workflow]
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
const json = { name: 'Ada', company: '', tags: ['a', 'b'], notes: [] };
const shown = (expression) => workflow.expression.getParameterValue(`={{ ${expression} }}`, null, 0, 0, 'n', [{ json }], 'manual', {});

const seen = Object.fromEntries(
  ['$json.compact()', '[$json].compact()', '[{a:1},{b:2}].merge([{c:3}])', '[{a:1},{b:2}].merge([{c:3},{}])'].map((text) => [text, shown(text)]),
);
console.log(seen);
const compact = { name: 'Ada', tags: { 0: 'a', 1: 'b' } };
assert.deepEqual(Object.values(seen), [compact, [compact], { a: 1, c: 3 }, { a: 1, c: 3, b: 2 }]);
EOF
node look.cjs
