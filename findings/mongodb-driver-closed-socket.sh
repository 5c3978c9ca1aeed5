#!/usr/bin/env bash
# A command to a socket that has just closed without an error waits for its own time limit.
#
# Expected: an operation whose connection is closed fails at once, and the driver finds another connection.
# Instead: for a moment after a socket has closed, the driver's pool still hands it out. A write to it gives no error
#   event. The driver waits for `drain`, which a closed socket never emits. The AbortSignal that the caller gave ends
#   the wait, with an error that the write took too long. A time limit of the driver closes sockets in this way.
# Version: mongodb 7.8.0, which mongoose 9.12.1 uses; 7.9.0 (the newest) does the same. Date: 2026-11-27.
# Hurts: recovery. The command by which the driver checks whether a server is back is written in the same way.
# In our code: packages/store/src/connection/closed-sockets.ts.
# Usage: findings/mongodb-driver-closed-socket.sh [version of mongodb]
set -euo pipefail
version=${1:-7.8.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "mongodb@$version" bson@7.3.4

cat >server.mjs <<'EOF'
import { createServer } from 'node:net';
import { deserialize, serialize } from 'bson';

const HELLO = { ok: 1, isWritablePrimary: true, helloOk: true, minWireVersion: 0, maxWireVersion: 21 };
const LIMITS = { maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000 };

/** One message of MongoDB's protocol: an OP_MSG, or the OP_REPLY to an old hello. */
export function message(responseTo, document, old = false) {
  const body = serialize(document);
  const head = Buffer.alloc(old ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(old ? 1 : 2013, 12);
  if (old) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

/** A server whose hello is that of MongoDB 7. `answer(command)` returns the response to any other command. */
export async function startServer(answer) {
  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length > 4 && bytes.length >= bytes.readInt32LE(0)) {
        const one = bytes.subarray(0, bytes.readInt32LE(0));
        bytes = bytes.subarray(one.length);
        const old = one.readInt32LE(12) !== 2013;
        const command = old ? { hello: 1 } : deserialize(one.subarray(21, 21 + one.readInt32LE(21)));
        const isHello = 'hello' in command || 'ismaster' in command;
        socket.write(message(one.readInt32LE(4), isHello ? { ...HELLO, ...LIMITS } : answer(command), old));
      }
    });
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return `mongodb://127.0.0.1:${server.address().port}/`;
}
EOF

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { MongoClient } from 'mongodb';
import { startServer } from './server.mjs';

const LIMIT_MS = 1500;
const db = (await new MongoClient(await startServer(() => ({ ok: 1 }))).connect()).db('test');

// The connection that the pool hands out.
const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js');
const { writeCommand } = Connection.prototype;
let connection;
Connection.prototype.writeCommand = function (...given) {
  connection = this;
  return writeCommand.apply(this, given);
};
await db.command({ ping: 1 });

const emitted = [];
for (const event of ['error', 'drain', 'close']) connection.socket.on(event, () => emitted.push(event));
connection.socket.destroy(); // A time limit of the driver does the same.
const began = performance.now();
const signal = AbortSignal.timeout(LIMIT_MS);
const error = await db.collection('rows').findOne({}, { signal }).catch((error) => error);
const tookMs = performance.now() - began;
console.log(`mongodb ${process.argv[2]}: ${error.name} after ${Math.round(tookMs)} ms, the limit being ${LIMIT_MS}`);
console.log('events of the socket meanwhile:', emitted);
assert.ok(error instanceof Error);
assert.ok(tookMs > LIMIT_MS - 100, 'the command ends with its socket');
assert.deepEqual(emitted, ['close']);
process.exit();
EOF
node look.mjs "$version"
