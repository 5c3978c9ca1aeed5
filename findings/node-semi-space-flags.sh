#!/usr/bin/env bash
# The flags for V8's young generation silently do something else than documented.
#
# Expected: `--max-semi-space-size=12` allows 12 MiB for each half of the young generation, `--min-semi-space-size=64`
#   starts with 64. Both are allowed in the same places.
# Instead, on Node 20:
#   - sizes are rounded up to a power of two: 12 gives halves of 16 MiB, 48 of 64;
#   - a minimum above the default maximum of 16 is cut to 16, unless the maximum is given too;
#   - a minimum above a given maximum is cut to that maximum;
#   - NODE_OPTIONS allows the maximum; with the minimum Node ends with exit code 9;
#   - a worker thread follows the flag, while its `resourceLimits.maxYoungGenerationSizeMb` still reports 48.
# Version: Node 20.20.2. Date: 2026-11-27. On Node 26.10.0 the last two are the same (96 instead of 48).
# Hurts: measurements: 12 and 16, or a minimum of 16 and one of 64, are the same process twice.
# In our code: Dockerfile and bench/speed-tried.md, whose sizes are powers of two.
# Usage: findings/node-semi-space-flags.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Keeps enough new objects alive for the young generation to grow to its limit.
cat >largest.cjs <<'EOF'
const { getHeapSpaceStatistics } = require('node:v8');
const kept = [];
let largest = 0;
for (let i = 0; i < 400; i++) {
  kept.push(Array.from({ length: 20_000 }, (_, j) => ({ i, j, list: [j] })));
  if (kept.length > 6) kept.shift();
  const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  largest = Math.max(largest, space_size);
}
console.log(largest / 2 / 2 ** 20); // Two halves.
EOF
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');

function half(...flags) {
  const { stdout } = spawnSync(process.execPath, [...flags, 'largest.cjs'], { encoding: 'utf8' });
  console.log(`${process.version} ${flags.join(' ')}: halves of ${stdout.trim()} MiB`);
  return Number(stdout);
}
function inNodeOptions(flag) {
  const env = { ...process.env, NODE_OPTIONS: flag };
  const { status } = spawnSync(process.execPath, ['-e', ''], { env });
  console.log(`${process.version} NODE_OPTIONS=${flag}: exit code ${status}`);
  return status;
}
if (process.version.startsWith('v20')) {
  assert.deepEqual([4, 12, 16, 48].map((size) => half(`--max-semi-space-size=${size}`)), [4, 16, 16, 64]);
  assert.equal(half('--min-semi-space-size=64'), 16);
  assert.equal(half('--min-semi-space-size=64', '--max-semi-space-size=64'), 64);
  assert.equal(half('--min-semi-space-size=32', '--max-semi-space-size=8'), 8);
}
assert.equal(inNodeOptions('--max-semi-space-size=8'), 0);
assert.equal(inNodeOptions('--min-semi-space-size=8'), 9);

function workerSays(size) {
  const program = `const { Worker } = require('node:worker_threads');
    const worker = new Worker('', { eval: true });
    worker.on('online', () => console.log(worker.resourceLimits.maxYoungGenerationSizeMb));`;
  const flags = [`--max-semi-space-size=${size}`, '-e', program];
  const { stdout } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
  console.log(`${process.version} --max-semi-space-size=${size}: resourceLimits says ${stdout.trim()}`);
  return Number(stdout);
}
assert.equal(workerSays(2), workerSays(64));
EOF

platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" look.cjs
done
