#!/usr/bin/env bash
# z.fromJSONSchema() leaves out some keywords without a word, and throws for others.
#
# Expected: what zod cannot express throws, as `if`, `not` and `dependentRequired` do.
# Instead: these are passed over, and the wrong value is valid: `anyOf` beside `properties`, `required` of a property that is not
#   declared, `minLength` beside a `$ref`, and a keyword without a `type`. The first is how a schema asks for an email or a phone.
# Versions: zod 4.6.7, which calls the function experimental, ajv 8.20.0 (both newest). Date: 2026-11-28.
# Hurts: receivers that check webhooks and forms with the JSON Schema of an OpenAPI document.
# In our code: the schemas of packages/contract and services/api are written by hand, and no code calls fromJSONSchema().
# Usage: findings/zod-from-json-schema.sh [version of zod]
set -euo pipefail
version=${1:-4.6.7}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "zod@$version" ajv@8.20.0
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import Ajv from 'ajv/dist/2020.js';
import * as z from 'zod';

const ajv = new Ajv({ strict: false });
const text = { type: 'string' };
const cases = {
  'anyOf beside properties': [
    { type: 'object', properties: { email: text, phone: text }, anyOf: [{ required: ['email'] }, { required: ['phone'] }] },
    {},
  ],
  'required, not declared': [{ type: 'object', properties: { email: text }, required: ['id'] }, { email: 'ada@example.com' }],
  'minLength beside $ref': [{ $defs: { text }, $ref: '#/$defs/text', minLength: 3 }, 'a'],
  'minLength without type': [{ minLength: 3 }, 'a'],
  if: [{ type: 'object', if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }],
  dependentRequired: [{ type: 'object', dependentRequired: { a: ['b'] } }, { a: 1 }],
};
const seen = {};
for (const [name, [schema, wrong]] of Object.entries(cases)) {
  let byZod;
  try {
    byZod = z.fromJSONSchema(schema).safeParse(wrong).success ? 'valid' : 'wrong';
  } catch {
    byZod = 'throws';
  }
  seen[name] = { value: JSON.stringify(wrong), ajv: ajv.validate(schema, wrong) ? 'valid' : 'wrong', zod: byZod };
}
console.table(seen);
assert.ok(Object.values(seen).every((row) => row.ajv === 'wrong'));
assert.deepEqual(Object.values(seen).map((row) => row.zod), ['valid', 'valid', 'valid', 'valid', 'throws', 'throws']);
EOF
node look.mjs
