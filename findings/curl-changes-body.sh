#!/usr/bin/env bash
# curl removes newlines from a file with -d, and expects 100 with -T for any size.
#
# Expected: `-d @FILE` and `-T FILE` send the bytes of the file, and a small body is sent at once.
# Instead: -d removes each newline. -T sends `Expect: 100-continue` for nine bytes too. --json and --data-binary do neither.
# Versions: curl 7.88.1. Date: 2026-11-27.
# Hurts: a script that signs the file and sends it with -d: 401. With -T each request waits for 100 or a second.
# In our code: docs/sending-events.md, "Sign what is sent". services/ingress/src/http/expect-continue.ts responds to Expect.
set -euo pipefail
command -v curl >/dev/null || { echo 'curl is missing'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
curl --version | head -1
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const got = [];
const handle = async (request, response) => {
  const { expect } = request.headers;
  if (expect) response.writeContinue();
  got.push([await text(request), expect]);
  response.end();
};
const server = createServer(handle).on('checkContinue', handle).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
writeFileSync('event.json', '{\n"n": 1}\n');
for (const how of [['-d', '@event.json'], ['-X', 'POST', '-T', 'event.json'], ['--json', '@event.json'], ['--data-binary', '@event.json']])
  await promisify(execFile)('curl', ['-sS', ...how, url]);
console.log(got);
const [flat, upload, ...exact] = got;
assert.deepEqual(flat, ['{"n": 1}', undefined], '-d sends newlines now');
assert.deepEqual(upload, ['{\n"n": 1}\n', '100-continue'], '-T expects nothing now');
for (const one of exact) assert.deepEqual(one, ['{\n"n": 1}\n', undefined]);
server.close();
EOF
node look.mjs
