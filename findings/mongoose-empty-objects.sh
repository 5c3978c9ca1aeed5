#!/usr/bin/env bash
# mongoose inserts a document without the empty objects in its Mixed fields, at any depth, and an update keeps them.
#
# Expected: a JSON payload in a field of type Mixed is stored as it came. `minimize` removes empty objects of the schema's own fields.
# Instead: `{ options: {}, nested: { filter: {} }, list: [{}] }` is inserted as `{ list: [{}] }`. create, insertMany, bulkWrite and
#   replaceOne do this; updateOne with `$set` stores all of it. `minimize: false` on the schema ends it.
# Version: mongoose 9.12.1 (the newest). Date: 2026-11-28.
# Hurts: stores of webhook payloads: a payload that is signed, hashed or replayed later is another one than was received.
# In our code: packages/store/src/writing/native-collection.ts writes past mongoose.
# Usage: findings/mongoose-empty-objects.sh [version of mongoose]
set -euo pipefail
version=${1:-9.12.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "mongoose@$version" bson@7.3.4
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { deserialize, serialize } from 'bson';
import mongoose from 'mongoose';

const HELLO = { ok: 1, isWritablePrimary: true, helloOk: true, minWireVersion: 0, maxWireVersion: 21 };
const LIMITS = { maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000 };

/** One message of MongoDB's protocol: an OP_MSG, or the OP_REPLY to an old hello. */
function message(responseTo, document, old) {
  const body = serialize(document);
  const head = Buffer.alloc(old ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(old ? 1 : 2013, 12);
  if (old) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

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
      socket.write(message(one.readInt32LE(4), 'hello' in command ? { ...HELLO, ...LIMITS } : { ok: 1, n: 1 }, old));
    }
  });
}).listen(0, '127.0.0.1');
await new Promise((listening) => server.once('listening', listening));

const url = `mongodb://127.0.0.1:${server.address().port}/test`;
const connection = await mongoose.createConnection(url, { monitorCommands: true }).asPromise();
const written = [];
connection.getClient().on('commandStarted', ({ command: { documents, updates = [] } }) => {
  const bodies = documents ?? updates.map(({ u }) => u.$set ?? u);
  written.push(...bodies.map((body) => deserialize(serialize(body)).payload));
});
const schema = new mongoose.Schema({ payload: mongoose.Schema.Types.Mixed });
const Row = connection.model('Row', schema, 'rows');
const row = () => ({ payload: { options: {}, nested: { filter: {} }, list: [{}] } });
await Row.create(row());
await Row.insertMany([row()]);
await Row.bulkWrite([{ insertOne: { document: row() } }]);
await Row.replaceOne({}, row());
await Row.updateOne({}, { $set: row() });
console.log('create, insertMany, bulkWrite, replaceOne, updateOne:');
for (const payload of written) console.log(JSON.stringify(payload));
const holes = { list: [{}] };
assert.deepEqual(written, [holes, holes, holes, holes, row().payload]);
process.exit();
EOF
node look.mjs
