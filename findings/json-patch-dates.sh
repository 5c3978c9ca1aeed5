#!/usr/bin/env bash
# Two libraries for JSON Patch lose a change of a Date: one finds none, the other adds its text letter by letter.
#
# Expected: from `{at: 1 May}` to `{at: 1 June}` the patch replaces `/at`, as jsondiffpatch and microdiff report it.
# Instead: rfc6902 returns an empty patch. fast-json-patch returns 24 operations, "add" of `/at/0` to `/at/23`, and applying them
#   leaves 1 May. Its observe() replaces `/at`, as does compare() where one of the two is a text.
# Versions: fast-json-patch 3.1.1, rfc6902 5.4.0, jsondiffpatch 0.7.7, microdiff 1.6.0 (all newest). Date: 2026-11-28.
# Hurts: histories and webhooks of changes that compare documents as a driver or ORM returns them: a moved date is no change.
# In our code: packages/leads/src/lead-changes.ts compares field by field with isDeepStrictEqual.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts fast-json-patch@3.1.1 rfc6902@5.4.0 jsondiffpatch@0.7.7 microdiff@1.6.0
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import fast from 'fast-json-patch';
import * as jsondiffpatch from 'jsondiffpatch';
import microdiff from 'microdiff';
import { createPatch } from 'rfc6902';

const lead = (at) => ({ name: 'Ada', at: new Date(at) });
const [before, after] = ['2027-05-01T10:00:00Z', '2027-06-01T10:00:00Z'];
const patch = fast.compare(lead(before), lead(after));
console.log('rfc6902:', createPatch(lead(before), lead(after)));
console.log('fast-json-patch:', patch.slice(0, 3), `and ${patch.length - 3} more`);
console.log('jsondiffpatch:', jsondiffpatch.diff(lead(before), lead(after)));
console.log('microdiff:', microdiff(lead(before), lead(after)));
assert.deepEqual(createPatch(lead(before), lead(after)), []);
assert.equal(patch.length, 24);
assert.deepEqual(patch[0], { op: 'add', path: '/at/0', value: '2' });

const patched = fast.applyPatch(lead(before), patch, false, true).newDocument;
console.log('fast-json-patch, applied:', JSON.stringify(patched.at));
assert.equal(JSON.stringify(patched.at), JSON.stringify(new Date(before)));

const observed = lead(before);
const observer = fast.observe(observed);
observed.at = new Date(after);
assert.deepEqual(fast.generate(observer), [{ op: 'replace', path: '/at', value: new Date(after).toJSON() }]);
assert.deepEqual(fast.compare({ at: before }, lead(after)).find((step) => step.path === '/at').op, 'replace');
assert.equal(microdiff(lead(before), lead(after))[0].type, 'CHANGE');
assert.deepEqual(jsondiffpatch.diff(lead(before), lead(after)).at.map(Number), [Date.parse(before), Date.parse(after)]);
EOF
node look.mjs
