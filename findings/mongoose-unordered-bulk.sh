#!/usr/bin/env bash
# Mongoose's unordered bulk writes leave out what they cannot cast, and resolve.
#
# Expected: `bulkWrite()` and `insertMany()` reject where a document does not fit its schema.
# Instead: with `ordered: false` such a document is not sent, and the promise resolves. `bulkWrite()` lists the errors
#   in `result.mongoose`; `insertMany()` returns fewer documents than it was given. The ordered forms reject.
# Version: mongoose 9.12.1 (the newest). Date: 2026-11-27. Discussed in Automattic/mongoose#14572.
# Hurts: code that counts a resolved promise as stored. The option `throwOnValidationError` is off by default.
# In our code: packages/store/src/native-collection.ts writes past mongoose's casts.
# Usage: findings/mongoose-unordered-bulk.sh [version of mongoose]
set -euo pipefail
version=${1:-9.12.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund "mongoose@$version" bson@7.3.4

cat >server.mjs <<'EOF'
import { createServer } from 'node:net';
import { deserialize, serialize } from 'bson';

const HELLO = { ok: 1, isWritablePrimary: true, helloOk: true, minWireVersion: 0, maxWireVersion: 21 };
const LIMITS = { maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000 };

/** One message of MongoDB's protocol: an OP_MSG, or the OP_REPLY with which an old hello is answered. */
export function message(responseTo, document, old = false) {
  const body = serialize(document);
  const head = Buffer.alloc(old ? 36 : 21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(old ? 1 : 2013, 12);
  if (old) head.writeInt32LE(1, 32);
  return Buffer.concat([head, body]);
}

/** A server that says hello as MongoDB 7 does. `answer(command)` gives the answer to all else. */
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
import mongoose from 'mongoose';
import { startServer } from './server.mjs';

const url = await startServer(() => ({ ok: 1, n: 1 }));
const connection = await mongoose.createConnection(`${url}test`).asPromise();
const Row = connection.model('Row', new mongoose.Schema({ n: Number }), 'rows');

// Fresh for each call: mongoose changes what it is given.
const documents = () => [{ n: 1 }, { n: 'three' }, { n: 3 }];
const operations = () => documents().map((document) => ({ insertOne: { document } }));
async function outcome(what, promise) {
  const told = await promise.then((result) => `resolves with ${show(result)}`, ({ name }) => `rejects: ${name}`);
  console.log(`mongoose ${mongoose.version}: ${what} of three documents, one of which cannot be cast: ${told}`);
  return told;
}
function show(result) {
  if (Array.isArray(result)) return `${result.length} documents`;
  return `${Object.keys(result.insertedIds).length} ids, ${result.mongoose.validationErrors.length} validation error`;
}

const unordered = { ordered: false };
assert.equal(await outcome('bulkWrite', Row.bulkWrite(operations())), 'rejects: ValidationError');
assert.match(await outcome('unordered bulkWrite', Row.bulkWrite(operations(), unordered)), /2 ids, 1 validation/);
assert.equal(await outcome('insertMany', Row.insertMany(documents())), 'rejects: ValidationError');
assert.match(await outcome('unordered insertMany', Row.insertMany(documents(), unordered)), /with 2 documents/);
process.exit();
EOF
node look.mjs
