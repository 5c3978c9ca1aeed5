#!/usr/bin/env bash
# Zapier's platform removes `{{name}}` from texts of a body that is an object.
#
# Expected: `z.request({ body: { text } })` sends the text that the user entered. The platform stopped replacing curly braces in v17.
# Instead: what is left of double curly braces is deleted from an object, and from params. The same text in a body that is a text, or in
#   a header, is sent unchanged. `{{bundle.…}}` throws, unless the request has `merge: false`, which the types do not know.
# Version: zapier-platform-core 19.1.0 (the newest). Date: 2026-11-28.
# Hurts: templates of mails and messages, which are full of `{{first_name}}`: they arrive with holes, and nothing warns.
# In our code: callApi in integrations/zapier/src/api.ts sends JSON as a text, with the second of two braces escaped.
# Usage: findings/zapier-curly-braces.sh [version of zapier-platform-core]
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
const { text: textOf } = require('node:stream/consumers');
const zapier = require('zapier-platform-core');

let sent;
const server = createServer(async (request, response) => {
  sent = (await textOf(request)) || decodeURIComponent(request.url);
  response.end('{}');
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  const ways = {
    'an object': (text) => ({ body: { text } }),
    'a text': (text) => ({ body: JSON.stringify({ text }) }),
    params: (text) => ({ method: 'GET', params: { text } }),
    'a text, merge: false': (text) => ({ body: JSON.stringify({ text }), merge: false }),
  };
  const seen = [];
  for (const [name, options] of Object.entries(ways)) {
    for (const text of ['Dear {{first_name}}, hello', 'Dear {{bundle.name}}']) {
      const perform = (z, { inputData }) => z.request({ url, method: 'POST', ...options(inputData.text) }).then(() => ({ sent }));
      const display = { label: 'Row', description: 'Makes a row.' };
      const creates = { row: { key: 'row', noun: 'Row', display, operation: { perform } } };
      const test = zapier.createAppTester({ version: '1.0.0', platformVersion: zapier.version, creates });
      seen.push([name, text, (await test(perform, { inputData: { text } }).catch(() => ({ sent: 'throws' }))).sent]);
    }
  }
  console.table(seen);
  assert.deepEqual(seen.map(([, , got]) => got), [
    ...['{"text":"Dear , hello"}', 'throws'],
    ...['{"text":"Dear {{first_name}}, hello"}', 'throws'],
    ...['/?text=Dear , hello', 'throws'],
    ...['{"text":"Dear {{first_name}}, hello"}', '{"text":"Dear {{bundle.name}}"}'],
  ]);
  process.exit();
});
EOF
node look.cjs 2>&1 | grep -vE '^(ZID|  (rss|heap|external|array)|})' # The platform prints its memory at each call.
