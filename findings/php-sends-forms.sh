#!/usr/bin/env bash
# PHP sends JSON as a form, and its json_encode does not repeat what json_decode has read.
#
# Expected: a body without a Content-Type has none, as with bytes in httpx, and a decoded text is encoded to the same bytes.
# Instead: the stream wrapper and curl add `application/x-www-form-urlencoded`. json_encode writes 1.0 as 1, / as \/ and ë as \u00eb.
# Versions: PHP 8.2.36. Date: 2026-11-27.
# Hurts: 415 without the header; 401 if the signed body is not the one that is sent.
# In our code: docs/sending-events.md, "Sign what is sent", and its PHP sample.
set -euo pipefail
command -v php >/dev/null || { echo 'php is missing'; exit 3; }
php -m | grep -qx curl || { echo "PHP's curl extension is missing"; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
php -v | head -1
cat >send.php <<'EOF'
<?php
[, $url] = $argv;
$body = file_get_contents('php://stdin');
$sends = fn(array $http) => file_get_contents($url, false, stream_context_create(['http' => ['method' => 'POST', 'content' => $body, ...$http]]));
@$sends([]);
$sends(['header' => 'Content-Type: application/json']);
$curl = curl_init($url);
curl_setopt_array($curl, [CURLOPT_POSTFIELDS => $body, CURLOPT_RETURNTRANSFER => true]);
curl_exec($curl);
$sends(['content' => json_encode(json_decode($body)), 'header' => 'Content-Type: application/json'] );
EOF
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const got = [];
const server = createServer(async (request, response) => {
  got.push([request.headers['content-type'], await text(request)]);
  response.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const body = '{"price":1.0,"url":"https://example.com/a","name":"Zoë"}';
const php = spawn('php', ['send.php', `http://127.0.0.1:${server.address().port}/`], { stdio: ['pipe', 'inherit', 'inherit'] });
php.stdin.end(body);
await once(php, 'exit');
server.close();
console.log(got);
const FORM = 'application/x-www-form-urlencoded';
assert.deepEqual(got, [
  [FORM, body],
  ['application/json', body],
  [FORM, body],
  ['application/json', '{"price":1,"url":"https:\\/\\/example.com\\/a","name":"Zo\\u00eb"}'],
]);
EOF
node look.mjs
