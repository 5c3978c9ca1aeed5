#!/usr/bin/env bash
# undici's timeouts for headers and body come up to a second late.
#
# Expected: `headersTimeout: 300` fails after 300 ms, and 1500 after 1.5 s, give or take some ms.
# Instead: 300 fails after a second, 1100 after 1.5 s and 1500 after 2 s: a shared timer that ticks each half second looks at them.
# Version: undici 7.30.2; 8.13.1 (the newest, on Node 26) does the same. Date: 2026-11-28.
# Hurts: budgets of a few hundred ms, and leases that must outlast a request: add a second, or use AbortSignal.timeout().
# In our code: services/dispatcher/src/attempt/send.ts ends an attempt by its own timer; undici's is a second net.
# Usage: findings/undici-late-timeouts.sh [version of undici]
set -euo pipefail
version=${1:-7.30.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "undici@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Agent, request } from 'undici';

const server = createServer(() => {}).listen(0, '127.0.0.1'); // It never responds.
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
const late = [];
for (const limit of [300, 1100, 1500]) {
  const dispatcher = new Agent({ headersTimeout: limit });
  const begun = performance.now();
  const error = await request(url, { dispatcher }).catch((reason) => reason);
  const after = Math.round(performance.now() - begun);
  console.log(`headersTimeout ${limit}: ${error.code} after ${after} ms`);
  assert.equal(error.code, 'UND_ERR_HEADERS_TIMEOUT');
  late.push(after - limit);
  await dispatcher.destroy();
}
const begun = performance.now();
const { name } = await request(url, { signal: AbortSignal.timeout(300) }).catch((reason) => reason);
console.log(`AbortSignal.timeout(300): ${name} after ${Math.round(performance.now() - begun)} ms`);
assert.ok(late.every((ms) => ms > 250), 'the timeouts are punctual');
process.exit();
EOF
node look.mjs
