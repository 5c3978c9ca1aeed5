#!/usr/bin/env bash
# express.raw with the type "*/*" leaves out a body whose request has no Content-Type.
#
# Expected: `express.raw({ type: "*/*" })` makes a Buffer of every body, to check its signature.
# Instead: without a Content-Type `req.body` is undefined, and the bytes stay unread. A function as the type accepts the request.
# Version: express 5.3.0 (the newest). Date: 2026-11-28.
# Hurts: receivers of programs that send bytes without the header, such as requests and httpx of Python: a check of undefined fails.
# In our code: services/dispatcher always sends the header. services/ingress reads the bytes itself.
# Usage: findings/express-raw-without-type.sh [version of express]
set -euo pipefail
version=${1:-5.3.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "express@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import express from 'express';

const app = express();
const show = (request, response) => response.end(Buffer.isBuffer(request.body) ? String(request.body) : String(typeof request.body));
app.post('/any', express.raw({ type: '*/*' }), show);
app.post('/function', express.raw({ type: () => true }), show);
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');

const seen = [];
for (const [path, headers] of [['/any', { 'content-type': 'text/x' }], ['/any', {}], ['/function', {}]]) {
  const url = `http://127.0.0.1:${server.address().port}${path}`;
  const response = await fetch(url, { method: 'POST', headers, body: new TextEncoder().encode('{"n":1}') });
  seen.push({ path, type: headers['content-type'], body: await response.text() });
}
server.close();
console.table(seen);
assert.deepEqual(seen.map(({ body }) => body), ['{"n":1}', 'undefined', '{"n":1}']);
EOF
node look.mjs
