#!/usr/bin/env bash
# The CloudEvents SDK for JavaScript loses data that is 0 or false, and reads JSON only under two spellings of its type.
#
# Expected: the receiver gets the data that the sender gave, in both modes (CloudEvents 1.0, HTTP binding 3.1 and 3.2).
# Instead, in structured mode: 0, false and "" arrive as undefined. In binary mode: 5 and false arrive as the texts "5" and "false".
#   An object arrives as a text if its type is `application/json;charset=utf-8` without the blank, or `application/vnd.crm+json`.
# Version: cloudevents 10.0.0 (the newest), both ends. Date: 2026-11-28.
# Hurts: receivers behind senders in other languages, many of which write the type without the blank.
# In our code: messages are Standard Webhooks. services/ingress reads the body as JSON under any parameters of its type.
# Usage: findings/cloudevents-data-type.sh [version of cloudevents]
set -euo pipefail
version=${1:-10.0.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "cloudevents@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { CloudEvent, HTTP } from 'cloudevents';

let received;
const server = createServer(async (request, response) => {
  received = HTTP.toEvent({ headers: request.headers, body: await text(request) }).data;
  response.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');

async function sent(mode, data, datacontenttype) {
  const { headers, body } = HTTP[mode](new CloudEvent({ type: 'lead.created', source: '/crm', data, datacontenttype }));
  await fetch(`http://127.0.0.1:${server.address().port}/`, { method: 'POST', headers, body });
  return received;
}
const rows = [];
for (const [data, type] of [
  [5, 'application/json'],
  [0, 'application/json'],
  [false, 'application/json'],
  ['', 'text/plain'],
  [{ a: 1 }, 'application/json'],
  [{ a: 1 }, 'application/json;charset=utf-8'],
  [{ a: 1 }, 'application/vnd.crm+json'],
])
  rows.push({ data, type, structured: await sent('structured', data, type), binary: await sent('binary', data, type) });
server.close();
console.log(rows);
assert.deepEqual(rows.map((row) => row.structured), [5, undefined, undefined, undefined, { a: 1 }, { a: 1 }, { a: 1 }]);
assert.deepEqual(rows.map((row) => row.binary), ['5', '0', 'false', '', { a: 1 }, '{"a":1}', '{"a":1}']);
EOF
node look.mjs
