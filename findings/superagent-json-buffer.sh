#!/usr/bin/env bash
# superagent sends a Buffer with a JSON type as the JSON of a Buffer, and repeats a POST.
#
# Expected: bytes that are signed and sent as application/json are sent as they are. A POST is repeated only if that is asked for.
# Instead: the body is `{"type":"Buffer","data":[123,…]}`. A text is sent unchanged, as a form unless the type is set.
#   `retry(1)` repeats a POST after a 503, too.
# Version: superagent 10.4.2 (the newest), which supertest uses. Date: 2026-11-28.
# Hurts: senders that sign bytes: 401 for each request. With retry(), a write may happen twice.
# In our code: docs/sending-events.md, "Sign what is sent".
# Usage: findings/superagent-json-buffer.sh [version of superagent]
set -euo pipefail
version=${1:-10.4.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "superagent@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import superagent from 'superagent';

const got = [];
const server = createServer(async (request, response) => {
  got.push([request.headers['content-type'], await text(request)]);
  response.writeHead(request.url === '/busy' ? 503 : 200).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;

const body = '{"a":1}';
await superagent.post(url).type('json').send(Buffer.from(body));
await superagent.post(url).type('json').send(body);
await superagent.post(url).send(body);
const bytes = JSON.stringify(Buffer.from(body));
console.log('a Buffer as JSON, a text as JSON, a text:', got);
assert.deepEqual(got, [
  ['application/json', bytes],
  ['application/json', body],
  ['application/x-www-form-urlencoded', body],
]);

got.length = 0;
const { status } = await superagent.post(`${url}/busy`).retry(1).type('json').send(body).catch((error) => error);
server.close();
console.log(`POST with retry(1): ${status} after ${got.length} requests`);
assert.equal(got.length, 2, 'a POST is sent once');
EOF
node look.mjs
