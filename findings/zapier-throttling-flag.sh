#!/usr/bin/env bash
# The schema of Zapier's platform describes the flag throwForThrottlingEarly the other way round.
#
# Expected, from the description in zapier-platform-schema: an app that sets the flag to `true` sees responses 429 in its
#   afterResponse middleware, and can word the error itself.
# Instead: `true` is the default behaviour, in which the platform throws before the app sees the response. `false` lets the
#   app see it. The comment in zapier-platform-core has `false` in one sentence and `true` in the other.
# Version: zapier-platform-core 19.1.0 (the newest). Date: 2026-11-27.
# Hurts: apps that show the sentence of their API at a 429. Users read "The server returned 429 (Too Many Requests)".
# In our code: integrations/zapier/src/app.ts sets the flag to false.
# Usage: findings/zapier-throttling-flag.sh [version of zapier-platform-core]
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
const { description } = require('zapier-platform-schema/lib/schemas/AppFlagsSchema').schema.properties.throwForThrottlingEarly;

const server = createServer((_request, response) => {
  response.writeHead(429, { 'retry-after': '30' }).end('{"message":"Ask again in half a minute."}');
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  const perform = async (z) => (await z.request(url)).data;
  const display = { label: 'Row', description: 'Makes a row.' };
  const creates = { row: { key: 'row', noun: 'Row', display, operation: { perform } } };

  async function outcome(flags) {
    let isSeen = false;
    const afterResponse = [
      (response, z) => {
        isSeen = true;
        throw new z.errors.ThrottledError(response.data.message, 30);
      },
    ];
    const app = { version: '1.0.0', platformVersion: zapier.version, creates, afterResponse, flags };
    const { message } = await zapier.createAppTester(app)(perform, {}).catch((error) => error);
    return { flag: String(flags.throwForThrottlingEarly), 'the app sees the 429': isSeen, ...JSON.parse(message) };
  }
  const seen = [];
  for (const throwForThrottlingEarly of [undefined, true, false]) seen.push(await outcome({ throwForThrottlingEarly }));
  console.log(`zapier-platform-core ${zapier.version}; its schema says: ${description.slice(0, 280)} …`);
  console.table(seen);
  assert.deepEqual(seen.map((one) => one['the app sees the 429']), [false, false, true]);
  assert.match(description, /Set this flag to `true` to preserve the old behavior where `afterResponse` middleware can see/);
  process.exit();
});
EOF
node look.cjs 2>&1 | grep -vE '^(ZID|  (rss|heap|external|array)|})' # The platform prints its memory at each call.
