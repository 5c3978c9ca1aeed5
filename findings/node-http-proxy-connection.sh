#!/usr/bin/env bash
# Node's HTTP server obeys "Proxy-Connection", a header without a standard, as if it were "Connection".
#
# Expected: a server ignores `Proxy-Connection`. RFC 9112 (C.2.2) advises clients not to send it.
# Instead: Node's parser treats it as `Connection`: with `Proxy-Connection: close` the server closes the connection.
# Versions: Node 20.20.2 and 26.10.0. Date: 2026-11-27.
# Hurts: a second parser in place of Node's (ours, a proxy): the two count connections differently.
# In our code: services/ingress/src/http/plain/read-plain-request.ts leaves such requests to Node.
# Usage: findings/node-http-proxy-connection.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { createServer } = require('node:http');
const { connect } = require('node:net');

(async () => {
  const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const seen = {};
  for (const header of ['X-Connection', 'Proxy-Connection', 'Connection']) {
    const client = connect(server.address().port, '127.0.0.1');
    client.write(`GET / HTTP/1.1\r\nHost: x\r\n${header}: close\r\n\r\n`);
    const [answer] = await once(client, 'data');
    seen[header] = /^Connection: (.+)$/m.exec(String(answer))[1].trim();
    client.destroy();
    console.log(`${process.version}: a request with "${header}: close" is answered with "Connection: ${seen[header]}"`);
  }
  server.close();
  server.closeAllConnections();
  assert.deepEqual(seen, { 'X-Connection': 'keep-alive', 'Proxy-Connection': 'close', Connection: 'close' });
})();
EOF

platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" look.cjs
done
