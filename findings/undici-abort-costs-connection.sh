#!/usr/bin/env bash
# undici closes a kept-alive connection when a request is aborted before any of it is written.
#
# Expected: a request that is aborted at `onRequestStart`, when it has its connection and has sent nothing, gives it back to the pool.
# Instead: the connection is destroyed. The next request waits for a new one, with its TLS handshake.
# Version: undici 7.30.2 and 8.13.1 (the newest, on Node 26). Date: 2026-11-28.
# Hurts: whoever decides at the last moment whether a request may still leave, such as after a wait in the pool's queue.
# In our code: services/dispatcher/src/attempt waits for a place at the origin first, and decides before it gives undici the request.
# Usage: findings/undici-abort-costs-connection.sh [version of undici]
set -euo pipefail
version=${1:-7.30.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "undici@$version"
cat >look.mjs <<'JS'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Agent, request } from 'undici';

let connections = 0;
const seen = [];
const server = createServer((asked, response) => {
  seen.push(asked.url);
  response.end('ok');
}).listen(0, '127.0.0.1');
server.on('connection', () => connections++);
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
const dispatcher = new Agent({ connections: 1 });

const ask = async (path) => (await request(origin + path, { dispatcher })).body.text();
/** A request that is aborted when it has its connection. */
const askAndAbort = (path) =>
  new Promise((resolve) =>
    dispatcher.dispatch({ origin, path, method: 'GET' }, {
      onRequestStart: (controller) => controller.abort(new Error('too late')),
      onResponseStart() {},
      onResponseData() {},
      onResponseEnd: () => resolve('answered'),
      onResponseError: (_, error) => resolve(error.message),
    }),
  );

await ask('/1');
await ask('/2');
assert.equal(connections, 1);
const outcome = await askAndAbort('/aborted');
await ask('/3');
console.log(`aborted: ${outcome}; the server saw ${seen.join(' ')} on ${connections} connections`);
assert.deepEqual(seen, ['/1', '/2', '/3']);
assert.equal(connections, 2, 'the connection was kept');
process.exit();
JS
node look.mjs
