#!/usr/bin/env bash
# Mongoose's bulkWrite, called again after a ValidationError, stores the document without the field that was wrong.
#
# Expected: the same operations are rejected each time.
# Instead: bulkWrite puts its own documents into the operations that it is given. A field that it cannot cast is not in
#   them. The second call finds nothing wrong, resolves, and inserts the document without the field.
# Version: mongoose 9.12.1 (the newest). Date: 2026-11-27.
# Hurts: code that retries an operation that failed, as job queues do: the retry "succeeds" with data missing.
# In our code: packages/store/src/writing/native-collection.ts writes past mongoose's casts.
# Usage: findings/mongoose-bulk-retry.sh [version of mongoose]
set -euo pipefail
version=${1:-9.12.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "mongoose@$version" bson@7.3.4

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
import { deserialize, serialize } from 'bson';
import mongoose from 'mongoose';
import { startServer } from './server.mjs';

const url = await startServer(() => ({ ok: 1, n: 1 }));
const connection = await mongoose.createConnection(`${url}test`, { monitorCommands: true }).asPromise();
const Row = connection.model('Row', new mongoose.Schema({ n: Number, name: String }), 'rows');
const sent = [];
const asSent = (document) => deserialize(serialize(document));
connection.getClient().on('commandStarted', ({ command }) => sent.push(...(command.documents ?? []).map(asSent)));

const operations = [{ insertOne: { document: { n: 'three', name: 'a row' } } }];
const told = [];
for (const attempt of ['first', 'second']) {
  const outcome = await Row.bulkWrite(operations).then(() => 'resolves', ({ name }) => `rejects: ${name}`);
  console.log(`mongoose ${mongoose.version}: the ${attempt} call with the same operations ${outcome}`);
  told.push(outcome);
}
console.log('what was sent to the server:', sent);
assert.deepEqual(told, ['rejects: ValidationError', 'resolves']);
assert.equal(sent.length, 1);
assert.equal(sent[0].name, 'a row');
assert.ok(!('n' in sent[0]), 'the field is sent');
process.exit();
EOF
node look.mjs
