#!/usr/bin/env bash
# DocumentDB leaves a document out of a compound sparse index if the first field is missing.
#
# Expected: MongoDB's manual says that a compound sparse index has each document with at least one of its fields.
# Instead: the index on { a, b } lacks { b: 1 }. The index on { b, a } lacks { a: 1 }. A list through such an index is
#   shorter than MongoDB's.
# Version: DocumentDB 1.0-0 on PostgreSQL 18 (Debian's package). Driver: mongodb 7.8.0. Date: 2026-11-27.
# Hurts: queries with a hint, such as a job that goes through all documents with either of two optional fields.
# In our code: packages/store/src/events/events.ts has an index with partialFilterExpression instead.
# Needs a DocumentDB at MONGO_URL. Usage: MONGO_URL=mongodb://… findings/documentdb-compound-sparse.sh
set -euo pipefail
[ -n "${MONGO_URL:-}" ] || { echo 'This finding needs the address of a DocumentDB in MONGO_URL.'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts mongodb@7.8.0

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { MongoClient } from 'mongodb';

const ROWS = [{ _id: 'none' }, { _id: 'a', a: 1 }, { _id: 'b', b: 1 }, { _id: 'a and b', a: 1, b: 1 }];
const client = await new MongoClient(process.env.MONGO_URL).connect();
const db = client.db(`findings_${process.pid}_${Date.now()}`);

async function listThrough(name, key) {
  const rows = db.collection(name);
  await rows.createIndex(key, { name: 'sparse', sparse: true });
  await rows.insertMany(ROWS);
  const found = (await rows.find({}).hint('sparse').toArray()).map(({ _id }) => _id).sort();
  console.log(`through the sparse index on ${JSON.stringify(key)}:`, found);
  return found;
}

try {
  const { version, gitVersion } = await db.command({ buildInfo: 1 });
  console.log(`the server says: version ${version}, ${gitVersion}`);
  const ab = await listThrough('ab', { a: 1, b: 1 });
  const ba = await listThrough('ba', { b: 1, a: 1 });
  const single = await listThrough('single', { a: 1 });
  assert.deepEqual({ ab, ba, single }, { ab: ['a', 'a and b'], ba: ['a and b', 'b'], single: ['a', 'a and b'] });
} finally {
  await db.dropDatabase();
  await client.close();
}
EOF
node look.mjs
