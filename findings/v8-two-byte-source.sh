#!/usr/bin/env bash
# One character in a comment doubles the memory that Node 20 needs for a source, and esbuild leaves it in.
#
# Expected: esbuild's output is ASCII (`charset: 'ascii'` is its default), and comments cost nothing at run time.
# Instead: esbuild escapes texts, but neither licence comments nor regular expressions. Its manual calls that harmless.
#   Node 20 keeps a source with a character above U+00FF at two bytes a character, and so the whole bundle.
#   Node 26.10.0 keeps the same for both sources, outside of V8's heap.
# Versions: esbuild 0.28.2 (the newest), Node 20.20.2. Date: 2026-11-27.
# Hurts: bundled services on Node 20: an idle process with a bundle of 8 MB takes 8 MB more.
# In our code: scripts/lib/bundle.mjs.
# Usage: findings/v8-two-byte-source.sh [version of esbuild]
set -euo pipefail
version=${1:-0.28.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "esbuild@$version"

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { writeFileSync } = require('node:fs');

const ELLIPSIS = '\u2026';
const BODY = `${'// a line that nothing needs\n'.repeat(200_000)}module.exports = () => 1;\n`;
writeFileSync('ascii.js', `// ...\n${BODY}`);
writeFileSync('one-ellipsis.js', `// ${ELLIPSIS}\n${BODY}`);

const kept = [];
/** MiB of V8's heap that a module needs once it is loaded. */
function heapOf(file) {
  gc();
  const before = process.memoryUsage().heapUsed;
  kept.push(require(file)); // As long as a function lives, V8 keeps its source.
  gc();
  return (process.memoryUsage().heapUsed - before) / 2 ** 20;
}
const sourceMiB = BODY.length / 2 ** 20;
const ascii = heapOf('./ascii.js');
const ellipsis = heapOf('./one-ellipsis.js');
console.log(`${process.version}: of heap, a source of ${sourceMiB.toFixed(1)} MiB takes`);
console.log(`  ${ascii.toFixed(1)} MiB in ASCII, ${ellipsis.toFixed(1)} MiB with one ellipsis in a comment`);
if (process.version.startsWith('v20')) {
  assert.ok(ellipsis > 1.8 * ascii && ascii > 0.8 * sourceMiB, 'one character costs nothing');
  return;
}
assert.ok(ellipsis < 0.5 && ascii < 0.5, 'the source is in the heap again');
EOF
cat >bundle.cjs <<'EOF'
const assert = require('node:assert/strict');
const { transformSync, version } = require('esbuild');
const source = `/*! licence \u2026 */\nconsole.log('text \u2026');`;
const { code } = transformSync(source, { charset: 'ascii', minify: true });
console.log(`esbuild ${version}, charset ascii: ${JSON.stringify(code)}`);
assert.ok(code.includes('licence \u2026') && code.includes('text \\u2026'));
EOF

node bundle.cjs
platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" --expose-gc look.cjs
done
