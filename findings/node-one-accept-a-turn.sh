#!/usr/bin/env bash
# A server of Node accepts one connection in a turn of the event loop, however many wait.
#
# Expected: a turn accepts all connections that wait, as it reads from all readable sockets.
# Instead: each turn accepts one. A busy server whose turns take 10 ms lets in 100 connections a second. Connections
#   that are open are all served in each turn.
# Versions: Node 20.20.2 and 26.10.0, on Linux. Date: 2026-11-27. See libuv/libuv#3696.
# Hurts: new clients of a busy server: they wait, and health checks among them fail.
# In our code: services/ingress/src/http/bounded-turns.ts bounds what a turn does.
# Usage: findings/node-one-accept-a-turn.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >clients.cjs <<'EOF'
const { connect } = require('node:net');
let open = 0;
for (let i = 0; i < 50; i++) connect(Number(process.argv[2]), '127.0.0.1').once('connect', () => {
  open += 1;
  if (open === 50) require('node:fs').writeFileSync('all-wait', '');
});
EOF
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { existsSync, rmSync } = require('node:fs');
const { createServer } = require('node:net');

(async () => {
  let turn = 0;
  const acceptedIn = [];
  const server = createServer(() => acceptedIn.push(turn)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clients = spawn(process.execPath, ['clients.cjs', String(server.address().port)]);
  await once(clients, 'spawn');
  // Blocks this process until all 50 wait in the system's queue.
  const latest = Date.now() + 10_000;
  while (!existsSync('all-wait')) assert.ok(Date.now() < latest);
  rmSync('all-wait');
  while (acceptedIn.length < 50) {
    turn += 1;
    await new Promise(setImmediate);
  }
  clients.kill();
  const most = Math.max(...acceptedIn.map((one) => acceptedIn.filter((other) => other === one).length));
  console.log(`${process.version}: 50 connections waited; most that one turn accepted: ${most}`);
  assert.equal(most, 1);
  process.exit();
})();
EOF

platform=$(node -p 'process.platform + "-" + process.arch')
for node in 20.20.2 26.10.0; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$folder/node-$node" "node-$platform@$node"
  "$folder/node-$node/node_modules/node-$platform/bin/node" look.cjs
done
