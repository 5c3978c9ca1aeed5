#!/usr/bin/env bash
# The MongoDB driver lists the fields of each document of a cursor, even if only the bytes are requested.
#
# Expected: `find({}, { raw: true })` hands out the bytes of each document without looking at its fields.
# Instead: the driver lists every field of every document first, as it does without `raw`. A command with the same
#   response (`db.command({ find })`) lists only the two fields of the response.
# Version: mongodb 7.8.0; 7.9.0 (the newest) does the same. Date: 2026-11-27.
# Hurts: programs that ask for bytes to save time. A command instead of a cursor took 0.90 of our worker's CPU.
# In our code: packages/store/src/events/load-portion.ts.
# Usage: findings/mongodb-driver-cursor-raw.sh [version of mongodb]
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
import { Long } from 'bson';
import { MongoClient } from 'mongodb';
import { startServer } from './server.mjs';

// 100 documents of 20 fields.
const FIELDS = Array.from({ length: 19 }, (_, i) => [`field${i}`, i]);
const firstBatch = Array.from({ length: 100 }, (_, i) => ({ _id: i, ...Object.fromEntries(FIELDS) }));
const url = await startServer(() => ({ ok: 1, cursor: { id: Long.ZERO, ns: 'test.rows', firstBatch } }));
const db = (await new MongoClient(url).connect()).db('test');

// Counts the fields that the driver lists.
const bson = createRequire(import.meta.url)('mongodb/lib/bson.js');
const { parseToElementsToArray } = bson;
let listed = 0;
bson.parseToElementsToArray = (...given) => {
  const elements = parseToElementsToArray(...given);
  listed += elements.length;
  return elements;
};
async function fieldsListed(what, ask) {
  listed = 0;
  await ask();
  console.log(`mongodb ${process.argv[2]}: ${what}: ${listed} fields listed`);
  return listed;
}

const rows = db.collection('rows');
const raw = await fieldsListed('a cursor with raw', async () => {
  const documents = await rows.find({}, { raw: true }).toArray();
  assert.ok(documents.length === 100 && documents[0] instanceof Uint8Array);
});
const command = await fieldsListed('a command', () => db.command({ find: 'rows', filter: {} }));
assert.ok(raw >= 100 * 20, 'a raw cursor leaves the fields alone');
assert.ok(command < 10, 'a command takes documents apart too');
process.exit();
EOF
node look.mjs "$version"
