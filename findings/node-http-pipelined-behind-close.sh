#!/usr/bin/env bash
# Node's HTTP server hands out requests that follow a response with "Connection: close".
#
# Expected: a response with `Connection: close` is the last one. Requests that a client has sent behind it are not
#   handed to the application, as the client sends them again on another connection.
# Instead: each of them is a `request` event. The application does the work, and its responses go nowhere.
#   Requests behind a request with `Connection: close` are not handed out.
# Versions: Node 20.20.2 and 26.10.0. Date: 2026-11-27.
# Hurts: servers that close connections while they stop, and clients that pipeline: work is done twice, or counted
#   although there was no response.
# In our code: packages/runtime/src/http/close-server.ts gives responses this header while a process stops.
# Usage: findings/node-http-pipelined-behind-close.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { createServer } = require('node:http');
const { connect } = require('node:net');

const get = (path, header = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`;

async function pipelined(what, text, closes) {
  const handed = [];
  const server = createServer((request, response) => {
    handed.push(request.url);
    if (closes) response.setHeader('Connection', 'close');
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(server.address().port, '127.0.0.1');
  client.write(text);
  let read = '';
  for await (const chunk of client) read += chunk;
  server.close();
  const answers = read.split('HTTP/1.1 200').length - 1;
  console.log(`${process.version} ${what}: handed out ${handed.join(' ')}; answers read: ${answers}`);
  return { handed, answers };
}

(async () => {
  const behindAnswer = await pipelined('behind an answer that closes', get('/1') + get('/2') + get('/3'), true);
  const closing = get('/1', 'Connection: close\r\n') + get('/2');
  const behindRequest = await pipelined('behind a request that closes', closing, false);
  assert.deepEqual(behindAnswer, { handed: ['/1', '/2', '/3'], answers: 1 });
  assert.deepEqual(behindRequest, { handed: ['/1'], answers: 1 });
})();
EOF

platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" look.cjs
done
