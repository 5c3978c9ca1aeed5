#!/usr/bin/env bash
# openapi-fetch returns no error for a failed response with an empty body.
#
# Expected: after a 502 `error` is set, as `if (error)` is how its documentation checks a call.
# Instead: with `Content-Length: 0`, `data` and `error` are both undefined, as after a 204. In chunks, `error` is an empty text.
# Version: openapi-fetch 0.17.0 (the newest). Date: 2026-11-28.
# Hurts: callers that check `error`. A proxy's empty 502 counts as success, and the request is not repeated.
# In our code: bodyOf in packages/sdk/src/http.ts checks `response.ok`.
# Usage: findings/openapi-fetch-empty-error.sh [version of openapi-fetch]
set -euo pipefail
version=${1:-0.17.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "openapi-fetch@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import createClient from 'openapi-fetch';

const server = createServer((request, response) => {
  if (request.url === '/length') response.writeHead(502, { 'content-length': '0' }).end();
  else if (request.url === '/chunks') response.writeHead(502).flushHeaders(), response.end();
  else response.writeHead(502, { 'content-type': 'application/json' }).end('{"title":"Bad gateway"}');
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const client = createClient({ baseUrl: `http://127.0.0.1:${server.address().port}` });
const seen = [];
for (const path of ['/length', '/chunks', '/json']) {
  const { data, error, response } = await client.GET(path);
  seen.push({ path, status: response.status, data, error, 'if (error)': Boolean(error) });
}
server.close();
console.table(seen);
assert.deepEqual(seen.map(({ error }) => error), [undefined, '', { title: 'Bad gateway' }]);
EOF
node look.mjs
