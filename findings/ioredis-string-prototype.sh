#!/usr/bin/env bash
# Loading ioredis makes every method of every string slower.
#
# Expected: an import of a Redis client leaves JavaScript's own strings alone.
# Instead: V8 keeps String.prototype as a dictionary from then on. Each call of a string method is then a lookup by
#   name. ioredis declares `class VerbatimString extends String`, which is what changes it.
#   V8 makes the prototype fast again once hot code has met an object of such a class.
# Versions: ioredis 6.0.0 (the newest), not 5.6.1; Node 20.20.2 and 26.10.0. Date: 2026-11-27.
# Hurts: every process that parses text beside a Redis client. In our worker it was a sixth of all instructions.
# In our code: packages/runtime/src/redis/fast-strings.ts.
# Usage: findings/ioredis-string-prototype.sh [version of ioredis]
set -euo pipefail
version=${1:-6.0.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "ioredis@$version"

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const isFast = new Function('return %HasFastProperties(String.prototype)');

function show(what) {
  console.log(`${process.version}: String.prototype ${what}: ${isFast() ? 'fast' : 'a dictionary'}`);
  return isFast();
}

const before = show('before ioredis is loaded');
require('ioredis');
const after = show('after ioredis is loaded');

class OwnString extends String {}
const firstCode = (text) => text.charCodeAt(0);
for (let i = 0; i < 64; i++) firstCode(new OwnString('x'));
const again = show('after 64 calls on an object of a class that extends String');
assert.deepEqual({ before, after, again }, { before: true, after: false, again: true });
EOF

platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" --allow-natives-syntax look.cjs
done
