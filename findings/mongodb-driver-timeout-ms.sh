#!/usr/bin/env bash
# The MongoDB driver takes `timeoutMS` and no longer acts on it.
#
# Expected: `timeoutMS: 500` ends an operation after half a second, as in version 6.20 and as its documentation said.
# Instead: nothing ends it. Here only `socketTimeoutMS: 3000` does. The only sign is a warning of the process: `timeoutMS has no effect`.
# Version: mongodb 7.8.0 and 7.9.0 (newest) ignore it; 6.20.0 rejects with MongoOperationTimeoutError after 500 ms. Date: 2026-11-28.
# Hurts: whoever relies on it for a bound of a write, such as "no write is still under way after ten seconds".
# In our code: packages/store/src/leads/lead-segments.ts records since when writes may be under way, instead of a bound.
# Usage: findings/mongodb-driver-timeout-ms.sh [version that ignores it] [version that acts on it]
set -euo pipefail
ignores=${1:-7.8.0}
acts=${2:-6.20.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/look.mjs" <<'JS'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { BSON, MongoClient } from 'mongodb';

/** A server that introduces itself and then never answers a command. */
function serve(socket) {
  let read = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    read = Buffer.concat([read, chunk]);
    while (read.length >= 4 && read.length >= read.readInt32LE(0)) {
      const message = read.subarray(0, read.readInt32LE(0));
      read = read.subarray(message.length);
      answer(socket, message);
    }
  });
}

function answer(socket, message) {
  const legacy = message.readInt32LE(12) === 2004; // OP_QUERY, which begins a connection.
  const start = legacy ? message.indexOf(0, 20) + 1 + 8 : 21;
  const length = message.readInt32LE(start);
  const command = BSON.deserialize(message.subarray(start, start + length));
  if (!('hello' in command || 'ismaster' in command || 'isMaster' in command)) return;
  const hello = BSON.serialize({ ok: 1, ismaster: true, isWritablePrimary: true, minWireVersion: 0, maxWireVersion: 25, maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000, localTime: new Date(), readOnly: false });
  const before = legacy ? Buffer.alloc(20) : Buffer.alloc(5); // OP_REPLY: flags, cursor, from, count. OP_MSG: flags, kind.
  if (legacy) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + before.length + hello.length, 0);
  header.writeInt32LE(message.readInt32LE(4), 8);
  header.writeInt32LE(legacy ? 1 : 2013, 12);
  socket.write(Buffer.concat([header, before, hello]));
}

const server = createServer(serve).listen(0, '127.0.0.1');
await once(server, 'listening');
const client = new MongoClient(`mongodb://127.0.0.1:${server.address().port}/?directConnection=true`, {
  timeoutMS: 500,
  socketTimeoutMS: 3000,
  retryWrites: false,
});
await client.connect();
const begun = performance.now();
const error = await client.db('look').collection('things').insertOne({ a: 1 }).catch((reason) => reason);
const after = Math.round(performance.now() - begun);
console.log(`${process.argv[2]}: ${error.name} after ${after} ms`);
assert.equal(error.name, process.argv[3]);
assert.ok(process.argv[3] === 'MongoOperationTimeoutError' ? after < 1500 : after >= 2900, 'not at the expected time');
process.exit();
JS
for one in "$acts MongoOperationTimeoutError" "$ignores MongoNetworkTimeoutError"; do
  read -r version error <<<"$one"
  mkdir "$folder/$version"
  (
    cd "$folder/$version"
    echo '{"private":true}' >package.json
    npm install --silent --no-audit --no-fund --ignore-scripts "mongodb@$version"
    cp ../look.mjs .
    node look.mjs "$version" "$error"
  )
done
