#!/usr/bin/env bash
# The MongoDB driver reads no response before a server has read the whole command.
#
# Expected: the driver reads an early rejection of a large command at once.
# Instead: if a socket does not accept a command at once, the driver waits for the socket's `drain` event. It reads
#   responses only afterwards: one that has arrived waits too. Meanwhile it listens for `drain` and `error` alone,
#   not for `close`, and a socket that is closed without an error emits neither (see mongodb-driver-closed-socket.sh).
# Version: mongodb 7.8.0; 7.9.0 (the newest) does the same. Date: 2026-11-27.
# Hurts: large writes to a server, or a proxy before it, that responds first and reads later.
# In our code: packages/store/src/connection/closed-sockets.ts.
# Usage: findings/mongodb-driver-drain.sh [version of mongodb]
set -euo pipefail
version=${1:-7.8.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "mongodb@$version" bson@7.3.4

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serialize } from 'bson';
import { MongoClient } from 'mongodb';

const HELLO = { ok: 1, isWritablePrimary: true, helloOk: true, minWireVersion: 0, maxWireVersion: 21 };
const LIMITS = { maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000 };
const REFUSAL = { ok: 0, code: 10334, codeName: 'BSONObjectTooLarge', errmsg: 'refused early' };
const READS_ON_AFTER_MS = 1500;

function answer(socket, responseTo, document, old = false) {
  const body = serialize(document);
  const head = Buffer.alloc(old ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(old ? 1 : 2013, 12);
  if (old) head.writeInt32LE(1, 32);
  socket.write(Buffer.concat([head, body]));
}

/** Responds to the beginning of a large command, reads nothing for a while, and then reads the rest. */
let answeredAt;
const server = createServer((socket) => {
  let skip = 0;
  socket.on('data', (chunk) => {
    if (skip > 0) {
      skip -= chunk.length;
      return;
    }
    const [length, id, op] = [0, 4, 12].map((at) => chunk.readInt32LE(at));
    if (length < 1e6) return answer(socket, id, { ...HELLO, ...LIMITS }, op !== 2013);
    skip = length - chunk.length;
    socket.pause();
    answer(socket, id, REFUSAL);
    answeredAt = performance.now();
    setTimeout(() => socket.resume(), READS_ON_AFTER_MS);
  });
}).listen(0, '127.0.0.1');
await new Promise((listening) => server.once('listening', listening));

// The events that the driver listens to, before and during its wait.
const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js');
const { writeCommand } = Connection.prototype;
const listeners = (socket) => ['drain', 'error', 'close'].map((event) => socket.listenerCount(event));
let added;
Connection.prototype.writeCommand = async function (...given) {
  const before = listeners(this.socket);
  const written = writeCommand.apply(this, given);
  await sleep(300);
  if (this.socket.writableLength > 1e6) added = listeners(this.socket).map((count, i) => count - before[i]);
  return written;
};

const url = `mongodb://127.0.0.1:${server.address().port}/`;
const client = await new MongoClient(url, { retryWrites: false }).connect();
const text = 'x'.repeat(15_000_000);
const error = await client.db('test').collection('rows').insertOne({ text }).catch((error) => error);
const lateMs = performance.now() - answeredAt;
console.log(`mongodb ${process.argv[2]}: heard "${error.message}" ${Math.round(lateMs)} ms after it was sent`);
console.log(`while it waits it listens for: drain +${added[0]}, error +${added[1]}, close +${added[2]}`);
assert.equal(error.message, REFUSAL.errmsg);
assert.ok(lateMs >= READS_ON_AFTER_MS, 'the answer is heard while the command is still being written');
assert.deepEqual(added, [1, 1, 0]);
process.exit();
EOF
node look.mjs "$version"
