#!/usr/bin/env bash
# Zapier's platform does not read a Retry-After that is a date, and reads a fraction of a second as 0.
#
# Expected: a response 429 with `Retry-After: <a date in a minute>` delays the next try by a minute. HTTP allows seconds
#   or a date (RFC 9110, 10.2.3).
# Instead: the platform's ThrottledError has no delay for a date. "0.5", which HTTP does not allow, becomes 0.
#   The Retry-After of a 503 is not read.
# Version: zapier-platform-core 19.1.0 (the newest). Date: 2026-11-27.
# Hurts: APIs that send a date: their limit is exceeded again and again.
# In our code: a Retry-After is in whole seconds, at least 1.
# Usage: findings/zapier-retry-after.sh [version of zapier-platform-core]
set -euo pipefail
version=${1:-19.1.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "zapier-platform-core@$version"

cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { createServer } = require('node:http');
const zapier = require('zapier-platform-core');

let answer;
const server = createServer((_request, response) => {
  response.writeHead(answer.status, { 'retry-after': answer.retryAfter }).end('{}');
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  const perform = async (z) => (await z.request(url)).data;
  const display = { label: 'Row', description: 'Makes a row.' };
  const creates = { row: { key: 'row', noun: 'Row', display, operation: { perform } } };
  const test = zapier.createAppTester({ version: '1.0.0', platformVersion: zapier.version, creates });

  async function outcome(status, retryAfter) {
    answer = { status, retryAfter };
    const { name, message } = await test(perform, {}).catch((error) => error);
    const { delay } = JSON.parse(message);
    return { status, 'Retry-After': retryAfter, error: name, delay };
  }
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  const seen = [];
  for (const one of [[429, '30'], [429, inAMinute], [429, '0.5'], [503, '30']]) seen.push(await outcome(...one));
  console.log(`zapier-platform-core ${zapier.version}`);
  console.table(seen);
  assert.deepEqual(seen.map(({ delay }) => delay), [30, null, 0, undefined]);
  process.exit();
});
EOF
node look.cjs 2>&1 | grep -vE '^(ZID|  (rss|heap|external|array)|})' # The platform prints its memory at each call.
