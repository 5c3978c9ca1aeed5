#!/usr/bin/env bash
# undici's cache interceptor serves a response that has only a Last-Modified for months without asking.
#
# Expected: a response without Cache-Control and Expires is asked for again, as its option `cacheByDefault` is not set. That option is
#   documented as the one that caches such responses.
# Instead: with a Last-Modified it is kept for a tenth of its age, without a limit: a file of 2024 is not asked for again in 2027, for
#   more than three months. RFC 9111 allows that, and browsers do it, but a program has no button to reload. Without a
#   Last-Modified, or with an ETag alone, each request goes to the server. A request with `cache-control: no-cache` does too.
# Versions: undici 8.13.1 (the newest) and 7.30.2, Node 26.10.0. Date: 2026-11-29.
# Hurts: programs that poll a calendar feed or an export, as static servers send Last-Modified with each file: no change arrives.
# In our code: packages/feeds uses no cache interceptor.
# Usage: findings/undici-cache-last-modified.sh [version of undici]
set -euo pipefail
version=${1:-8.13.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
platform=$(node -p 'process.platform + "-" + process.arch')
npm install --silent --no-audit --no-fund --ignore-scripts "undici@$version" "node-$platform@26.10.0"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mock } from 'node:test';
import { Agent, interceptors, request } from 'undici';

const HEADERS = {
  '/last-modified': { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' },
  '/etag': { etag: '"1"' },
  '/none': {},
};
const asked = {};
const server = createServer(({ url }, response) => {
  asked[url] = (asked[url] ?? 0) + 1;
  response.writeHead(200, { date: new Date().toUTCString(), ...HEADERS[url] }).end(`version ${asked[url]}`);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const dispatcher = new Agent().compose(interceptors.cache());
async function get(path, headers = {}) {
  const { body } = await request(`http://127.0.0.1:${server.address().port}${path}`, { dispatcher, headers });
  return body.text();
}

mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T00:00:00Z') });
const seen = {};
for (const path of Object.keys(HEADERS)) seen[path] = [await get(path), await get(path), await get(path)];
console.log(seen);
assert.deepEqual(seen['/last-modified'], ['version 1', 'version 1', 'version 1']);
for (const path of ['/etag', '/none']) assert.deepEqual(seen[path], ['version 1', 'version 2', 'version 3']);

mock.timers.setTime(Date.parse('2027-04-15T00:00:00Z'));
const later = await get('/last-modified');
mock.timers.setTime(Date.parse('2027-04-25T00:00:00Z'));
const last = await get('/last-modified');
const reloaded = await get('/last-modified', { 'cache-control': 'no-cache' });
console.log({ '15 April': later, '25 April': last, 'no-cache': reloaded });
assert.deepEqual([later, last, reloaded], ['version 1', 'version 2', 'version 3']);
process.exit();
EOF
"node_modules/node-$platform/bin/node" look.mjs
