#!/usr/bin/env bash
# undici's retry interceptor repeats a request before Retry-After allows it, and then withholds the response.
#
# Expected: after `429` with `Retry-After: 2` the next try comes 2 s later, or there is none. After the last try the caller gets the
#   response with its body.
# Instead: the wait is cut to maxTimeout (30 s by default), so each try counts against the limit again. The last response becomes a
#   RequestRetryError with the status, and without the body that names the reason.
# Version: undici 7.30.2; 8.13.1 (the newest, on Node 26) does the same. Date: 2026-11-28.
# Hurts: clients of APIs whose limits last a minute or more: they use up their tries within the limit.
# In our code: packages/sdk/src/retry.ts waits in full or gives the response to the caller.
# Usage: findings/undici-retry-after.sh [version of undici]
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
import { Agent, interceptors, request } from 'undici';

const tries = [];
const server = createServer((_request, response) => {
  tries.push(performance.now());
  response.writeHead(429, { 'retry-after': '2' }).end('{"title":"Over the limit of the plan"}');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;

// The default of maxTimeout is 30_000. A smaller one shows the same in less time.
const dispatcher = new Agent().compose(interceptors.retry({ maxRetries: 2, minTimeout: 50, maxTimeout: 200 }));
const error = await request(url, { dispatcher }).catch((reason) => reason);
const pauses = tries.slice(1).map((at, index) => Math.round(at - tries[index]));
console.log(`Retry-After: 2. Pauses: ${pauses.join(' and ')} ms. Then ${error.name} ${error.statusCode}:`, error.data);
assert.equal(pauses.length, 2);
assert.ok(pauses.every((ms) => ms < 1500), 'it waits now');
assert.equal(error.name, 'RequestRetryError');
assert.ok(!JSON.stringify(error.data).includes('limit of the plan'), 'the body is there now');
process.exit();
EOF
node look.mjs
