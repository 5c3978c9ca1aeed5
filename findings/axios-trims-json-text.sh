#!/usr/bin/env bash
# axios sends a JSON text without the blanks around it, and wraps a text that is no JSON.
#
# Expected: a string as `data` is the body as it is, as for other content types.
# Instead: with Content-Type: application/json a string that is JSON is trimmed. Any other string becomes a JSON string of itself.
#   Bytes, and a string with `transformRequest: [(data) => data]`, are sent unchanged.
# Versions: axios 1.21.1 (the newest). Date: 2026-11-27.
# Hurts: a sender that signs a text with a newline at its end, such as a file. The signature is over other bytes: 401.
# In our code: docs/sending-events.md, "Sign what is sent". packages/signature/src/likely-slip.ts names the newline.
# Usage: findings/axios-trims-json-text.sh [version of axios]
set -euo pipefail
version=${1:-1.21.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "axios@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import axios from 'axios';

const server = createServer(async (request, response) => response.end(JSON.stringify({ got: await text(request) })));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
const headers = { 'content-type': 'application/json' };
const send = async (data, more = {}) => (await axios.post(url, data, { headers, ...more })).data.got;

const body = ' {"n": 1.0}\n';
const trimmed = await send(body);
const wrapped = await send('{"n": }');
console.log('a text:', JSON.stringify(trimmed), 'a text that is no JSON:', JSON.stringify(wrapped));
assert.equal(trimmed, body.trim(), 'a JSON text is sent unchanged now');
assert.equal(wrapped, '"{\\"n\\": }"');
assert.equal(await send(Buffer.from(body)), body);
assert.equal(await send(body, { transformRequest: [(data) => data] }), body);
server.close();
EOF
node look.mjs
