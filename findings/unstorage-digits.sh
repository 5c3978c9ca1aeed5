#!/usr/bin/env bash
# A text of digits that is stored with unstorage comes back as a number, and an id of 16 digits as another id.
#
# Expected: getItem() returns what setItem() got: the text "9999999999999999", or "true".
# Instead: a text is stored without quotes and read with destr: "9999999999999999" is 10000000000000000, "1.10" is 1.1, "true" is a
#   boolean, and "undefined" is undefined. ofetch does the same with a response without a content type. A text within an object
#   stays a text.
# Versions: unstorage 1.17.6, ofetch 1.5.1 (both newest). Date: 2026-11-28.
# Hurts: Nitro and Nuxt servers that keep ids of Meta or of a webhook: two ids become one, and a `===` with the text is false.
# In our code: ids are texts within JSON objects, which stay texts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts unstorage@1.17.6 ofetch@1.5.1
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { ofetch } from 'ofetch';
import { createStorage } from 'unstorage';

const storage = createStorage();
const server = createServer((request, response) => response.end(decodeURIComponent(request.url.slice(1))));
await once(server.listen(0, '127.0.0.1'), 'listening');
const origin = `http://127.0.0.1:${server.address().port}/`;

const seen = {};
for (const text of ['9999999999999999', '1.10', 'true', 'undefined', '0123', 'hello']) {
  await storage.setItem('id', text);
  seen[text] = { unstorage: await storage.getItem('id'), ofetch: await ofetch(origin + text) };
}
await storage.setItem('id', { id: '9999999999999999' });
console.table(seen);
console.log('within an object:', await storage.getItem('id'));
assert.deepEqual(Object.values(seen).map((row) => row.unstorage), [1e16, 1.1, true, undefined, '0123', 'hello']);
assert.deepEqual(Object.values(seen).map((row) => row.ofetch), [1e16, 1.1, true, undefined, '0123', 'hello']);
assert.deepEqual(await storage.getItem('id'), { id: '9999999999999999' });
server.close();
EOF
node look.mjs
