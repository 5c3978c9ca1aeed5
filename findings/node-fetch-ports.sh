#!/usr/bin/env bash
# Node's fetch() rejects some eighty ports without connecting.
#
# Expected: fetch() on a server calls any port; the list of blocked ports protects visitors of web pages.
# Instead: it throws "fetch failed" with the cause "bad port" for 6000, 6667, 10080 and others, as the fetch standard
#   demands of browsers. node:http calls the same server.
# Versions: Node 20.20.2 and 26.10.0. Date: 2026-11-27.
# Hurts: senders of webhooks, health checks and tests on random ports: one service among many cannot be reached.
# In our code: services/cli/src/send/send-signed.ts sends with node:http.
# Usage: findings/node-fetch-ports.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { once } = require('node:events');
const { createServer, get } = require('node:http');

/** Blocked ports from 1024 on, without those that are in use here. */
const BLOCKED = [2049, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080];

async function listening(port) {
  const server = createServer((_request, response) => response.end('ok')).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
async function outcome(port) {
  const server = await listening(port).catch(() => undefined);
  if (server === undefined) return [];
  const url = `http://127.0.0.1:${server.address().port}/`;
  const byFetch = await fetch(url).then(({ status }) => status, ({ cause }) => cause.message);
  const [{ statusCode: byHttp }] = await once(get(url, { agent: false }).on('response', (r) => r.resume()), 'response');
  server.close();
  server.closeAllConnections();
  return [{ port: server.address()?.port ?? port, fetch: byFetch, 'http.get': byHttp }];
}

(async () => {
  const seen = (await Promise.all(BLOCKED.map(outcome))).flat();
  const [other] = await outcome(0);
  console.log(process.version);
  console.table(seen);
  assert.ok(seen.length > 0, 'all these ports are in use here');
  assert.ok(seen.every((one) => one.fetch === 'bad port' && one['http.get'] === 200));
  assert.equal(other.fetch, 200);
})();
EOF

platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" look.cjs
done
