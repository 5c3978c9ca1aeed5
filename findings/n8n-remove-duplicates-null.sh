#!/usr/bin/env bash
# n8n's Remove Duplicates leaves duplicates in, when the field of another item is null.
#
# Expected: of the items b, null, a, null, b, a, compared by this field, three remain: b, null and a. The node accepts null.
# Instead: all six remain, and nothing is reported. The node sorts the items and compares neighbours, but null is neither less nor
#   more than a text, so equal texts do not become neighbours. Numbers beside null work, as null sorts like 0, and so do texts alone.
# Version: n8n-nodes-base 2.41.0. The newest, 2.41.2, could not be installed. Date: 2026-11-29.
# Hurts: lists of contacts without an e-mail address among them: the others get their message twice.
# In our code: docs/integrations.md warns of it, as a lead without an e-mail address has null.
# Usage: findings/n8n-remove-duplicates-null.sh [version of n8n-nodes-base]
set -euo pipefail
version=${1:-2.41.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps "n8n-nodes-base@$version" 2>/dev/null
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { RemoveDuplicatesV2 } = require('n8n-nodes-base/dist/nodes/Transform/RemoveDuplicates/v2/RemoveDuplicatesV2.node.js');

/** What remains of items with these e-mail addresses. */
async function remaining(emails) {
  const parameters = { operation: 'removeDuplicateInputItems', compare: 'selectedFields', fieldsToCompare: 'email' };
  const context = {
    getInputData: () => emails.map((email) => ({ json: { email } })),
    getNodeParameter: (name, _index, fallback) => parameters[name] ?? fallback,
    getNode: () => ({ name: 'Remove Duplicates', typeVersion: 2 }),
    continueOnFail: () => false,
  };
  const [items] = await new RemoveDuplicatesV2({ displayName: '', name: '', group: [], description: '' }).execute.call(context);
  return items.map(({ json }) => json.email);
}

(async () => {
  const CASES = [
    [['b', 'a', 'b', 'a'], ['b', 'a']],
    [['b', null, 'a', null, 'b', 'a'], ['b', null, 'a', null, 'b', 'a']],
    [['b', '', 'a', '', 'b', 'a'], ['b', '', 'a']],
    [[3, null, 1, null, 3, 1], [3, null, 1]],
  ];
  for (const [emails, expected] of CASES) {
    const left = await remaining(emails);
    console.log(JSON.stringify(emails), 'leaves', JSON.stringify(left));
    assert.deepEqual(left, expected);
  }
})();
EOF
node look.cjs
