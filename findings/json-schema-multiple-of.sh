#!/usr/bin/env bash
# `multipleOf: 0.01` rejects a price of 19.99 in some validators of JSON Schema, and none in others.
#
# Expected: all prices from 0.00 to 99.99 are multiples of 0.01, as JSON Schema means decimal numbers.
# Instead: ajv and jsonschema for Python reject 1363 of these 10,000, such as 0.07, 1.11 and 19.99, because they divide binary numbers.
#   Both reject the same ones. zod and fastjsonschema reject none. ajv with `multipleOfPrecision: 6` rejects none. Cents as integers work.
# Versions: ajv 8.20.0, zod 4.6.7, jsonschema 4.26.0, fastjsonschema 2.22.3 (all newest). Date: 2026-11-29.
# Hurts: webhooks and forms whose schema describes money: one request in seven is rejected, and the sender sees nothing wrong with it.
# In our code: no multipleOf; a price of an event is a text (packages/contract/src/event-fields.ts).
set -euo pipefail
command -v python3 >/dev/null || { echo 'python3 is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts ajv@8.20.0 zod@4.6.7
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check jsonschema==4.26.0 fastjsonschema==2.22.3
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { z } from 'zod';

const schema = { type: 'number', multipleOf: 0.01 };
const binary = new Ajv().compile(schema);
const precise = new Ajv({ multipleOfPrecision: 6 }).compile(schema);
const cents = new Ajv().compile({ type: 'integer', multipleOf: 1 });
const price = z.number().multipleOf(0.01);
const prices = JSON.parse(readFileSync('prices.json', 'utf8'));
const rejected = {
  ajv: prices.filter((value) => !binary(value)),
  'ajv, multipleOfPrecision: 6': prices.filter((value) => !precise(value)),
  'ajv, cents': prices.filter((value) => !cents(Math.round(value * 100))),
  zod: prices.filter((value) => !price.safeParse(value).success),
  ...JSON.parse(readFileSync('python.json', 'utf8')),
};
for (const [name, values] of Object.entries(rejected)) console.log(name, 'rejects', values.length, values.slice(0, 8));
assert.equal(prices.length, 10_000);
assert.deepEqual(Object.values(rejected).map(({ length }) => length), [1363, 0, 0, 0, 1363, 0]);
assert.ok([0.07, 1.11, 19.99].every((value) => rejected.ajv.includes(value)));
assert.deepEqual(rejected.jsonschema, rejected.ajv);
EOF
cat >look.py <<'EOF'
import json

import fastjsonschema
import jsonschema

schema = {"type": "number", "multipleOf": 0.01}
prices = [json.loads(f"{cents // 100}.{cents % 100:02}") for cents in range(10_000)]
validator = jsonschema.Draft202012Validator(schema)
validate = fastjsonschema.compile(schema)


def is_rejected(price):
    try:
        validate(price)
        return False
    except fastjsonschema.JsonSchemaValueException:
        return True


rejected = {
    "jsonschema": [price for price in prices if not validator.is_valid(price)],
    "fastjsonschema": [price for price in prices if is_rejected(price)],
}
for name, value in {"prices": prices, "python": rejected}.items():
    with open(f"{name}.json", "w") as file:
        json.dump(value, file)
EOF
venv/bin/python look.py
node look.mjs
