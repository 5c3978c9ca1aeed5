#!/usr/bin/env bash
# n8n's Merge mixes two lists position by position, and takes all items without a value for the same one.
#
# Expected: of a contact with the tags vip and new, and the same one with the tag old, Merge keeps one list, that of the second input
#   ("Prefer Input 2"), or the tags of both. Two contacts without an e-mail address are not the same contact, as in SQL.
# Instead: the tags are old and new, a list that neither input had. An empty list leaves the other one as it is. "Merging Nested Fields:
#   Shallow Merge" keeps the second list, but drops the fields of nested objects too. null matches null, so each contact without an
#   address gets the phone number of each other one. A field that is missing matches nothing.
# Version: n8n-nodes-base 2.41.0. The newest, 2.41.2, could not be installed. Date: 2026-11-29.
# Hurts: workflows that enrich contacts of one system with those of another: removed tags come back, and data goes to a wrong person.
# In our code: docs/integrations.md warns of it, because a lead has tags and null for what it lacks.
# Usage: findings/n8n-merge-lists.sh [version of n8n-nodes-base]
set -euo pipefail
version=${1:-2.41.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps "n8n-nodes-base@$version" 2>/dev/null
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const merge = require('n8n-nodes-base/dist/nodes/Merge/v3/actions/mode/combineByFields.js');

/** What Merge makes of two inputs, combined by their e-mail addresses. */
async function merged(first, second, clash = {}) {
  const parameters = {
    advanced: false,
    fieldsToMatchString: 'email',
    joinMode: 'keepMatches',
    outputDataFrom: 'both',
    options: {},
    'options.clashHandling.values': clash,
  };
  const context = {
    getNodeParameter: (name, _index, fallback) => parameters[name] ?? fallback,
    getNode: () => ({ name: 'Merge', typeVersion: 3.2 }),
  };
  const inputs = [first, second].map((input) => input.map((json, item) => ({ json, pairedItem: { item } })));
  const [items] = await merge.execute.call(context, inputs);
  return items.map(({ json }) => json);
}
const ada = (fields) => [{ email: 'ada@example.com', ...fields }];

(async () => {
  const nested = [ada({ tags: ['vip', 'new'], address: { city: 'Bonn' } }), ada({ tags: ['old'], address: { zip: '53111' } })];
  const [mixed] = await merged(...nested);
  console.log('tags [vip, new] and [old]:', mixed);
  assert.deepEqual(mixed, { email: 'ada@example.com', tags: ['old', 'new'], address: { city: 'Bonn', zip: '53111' } });
  const [shallow] = await merged(...nested, { resolveClash: 'preferLast', mergeMode: 'shallowMerge' });
  console.log('shallow:', shallow);
  assert.deepEqual(shallow, { email: 'ada@example.com', tags: ['old'], address: { zip: '53111' } });
  const [kept] = await merged(ada({ tags: ['vip', 'new'] }), ada({ tags: [] }));
  console.log('tags [vip, new] and []:', kept.tags);
  assert.deepEqual(kept.tags, ['vip', 'new']);

  const phones = [{ email: null, phone: '1' }, { email: null, phone: '2' }];
  const strangers = await merged([{ email: null, name: 'Ada' }, { email: null, name: 'Bob' }], phones);
  console.log('without an address:', strangers);
  assert.deepEqual(strangers.map(({ name, phone }) => name + phone), ['Ada1', 'Ada2', 'Bob1', 'Bob2']);
  assert.deepEqual(await merged([{ name: 'Ada' }], phones), []);
})();
EOF
node look.cjs
