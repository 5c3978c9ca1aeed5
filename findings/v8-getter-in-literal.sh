#!/usr/bin/env bash
# An object literal with a getter is a slow object each time.
#
# Expected: `{ n, get twice() { … } }` makes objects as fast as those of a class with the same getter.
# Instead: V8 keeps each object of such a literal as a dictionary, also in hot code. The same literal with a
#   method, and a class with the getter, make fast objects.
# Versions: Node 20.20.2 and 26.10.0. Date: 2026-11-27.
# Hurts: code that makes an object for each request and gives it a lazy field in this natural way.
# In our code: services/ingress/src/http/plain/plain-incoming.ts, where the old space grew by 32 MB a second with a getter.
# Usage: findings/v8-getter-in-literal.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const isFast = new Function('object', 'return %HasFastProperties(object)');

class WithGetter {
  constructor(n) {
    this.n = n;
  }
  get twice() {
    return this.n * 2;
  }
}
const WAYS = {
  'a literal with a getter': (n) => ({ n, get twice() { return n * 2; } }),
  'a literal with a method': (n) => ({ n, twice() { return n * 2; } }),
  'a class with a getter': (n) => new WithGetter(n),
};
const seen = {};
for (const [way, make] of Object.entries(WAYS)) {
  const first = isFast(make(0));
  for (let i = 0; i < 100_000; i++) make(i);
  seen[way] = { 'first object': first, 'hot code': isFast(make(1)) };
}
console.log(`${process.version}: are the objects fast?`);
console.table(seen);
const all = (answer) => ({ 'first object': answer, 'hot code': answer });
assert.deepEqual(Object.values(seen), [all(false), all(true), all(true)]);
EOF

platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" --allow-natives-syntax look.cjs
done
