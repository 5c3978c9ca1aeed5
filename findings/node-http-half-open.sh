#!/usr/bin/env bash
# Node's HTTP server drops the response to a client that has ended its side, unless an undocumented property is set.
#
# Expected: a client that ends its side after the request still gets the response, as TCP allows. Otherwise the option
#   `allowHalfOpen` of createServer would allow it, as it does in node:net.
# Instead: if the response is not ready at once, the server closes the connection without it. The options
#   `allowHalfOpen` and `httpAllowHalfOpen` of createServer are ignored without an error. The property
#   `server.httpAllowHalfOpen = true` works; @types/node does not know it.
# Versions: Node 20.20.2 and 26.10.0. Date: 2026-11-27.
# Hurts: senders that close their half, such as `nc -N`: they read nothing, and repeat an accepted request.
# In our code: services/ingress/src/http/server.ts.
# Usage: findings/node-http-half-open.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { createServer } = require('node:http');
const { connect } = require('node:net');

/** The bytes that a client reads after it has sent a request and ended its side. The server responds 100 ms later. */
async function readBy(options, properties = {}) {
  const server = createServer(options, (request, response) => {
    request.resume();
    setTimeout(() => response.end('the answer'), 100);
  });
  Object.assign(server, properties).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: server.address().port, allowHalfOpen: true });
  client.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of client) text += chunk;
  server.close();
  const read = text.endsWith('the answer') ? 'the answer' : JSON.stringify(text);
  console.log(`${process.version} ${JSON.stringify({ options, properties })}: the client reads ${read}`);
  return read;
}

(async () => {
  assert.equal(await readBy({}), '""');
  assert.equal(await readBy({ allowHalfOpen: true }), '""');
  assert.equal(await readBy({ httpAllowHalfOpen: true }), '""');
  assert.equal(await readBy({}, { httpAllowHalfOpen: true }), 'the answer');
})();
EOF

platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" look.cjs
done
