#!/usr/bin/env bash
# An HTTPParserError of undici does not name the error of the parser.
#
# Expected: a response that is not HTTP gives an error whose `code` is the parser's, such as HPE_INVALID_CONSTANT, as node:http does.
# Instead: `code` is undefined. The name is HTTPParserError, and the message is a sentence without the parser's code.
# Versions: undici 7.30.2. Date: 2026-11-27.
# Hurts: a caller that maps errors by `code`, as for all other errors of undici. The cause becomes an unknown error.
# In our code: services/dispatcher/src/attempt/request-error.ts goes by the name of the error.
# Usage: findings/undici-parser-error-code.sh [version of undici]
set -euo pipefail
version=${1:-7.30.2}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "undici@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import http from 'node:http';
import { createServer } from 'node:net';
import { request } from 'undici';

const server = createServer((socket) => socket.once('data', () => socket.end('220 mail.example.org ready\r\n')));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();
const ofUndici = await request(`http://127.0.0.1:${port}/`).catch((error) => error);
const ofNode = await new Promise((resolve) => http.get({ port, host: '127.0.0.1' }).on('error', resolve));
console.log('undici:', ofUndici.name, ofUndici.code, ofUndici.message);
console.log('node:http:', ofNode.name, ofNode.code);
assert.equal(ofUndici.name, 'HTTPParserError');
assert.equal(ofUndici.code, undefined, 'the error has a code now');
assert.match(ofNode.code, /^HPE_/);
server.close();
process.exit();
EOF
node look.mjs
