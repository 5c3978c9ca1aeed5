#!/usr/bin/env bash
# BullMQ's add() returns a job with data that is stored nowhere, if the job exists already.
#
# Expected: after a second add() with the same jobId or deduplication id, the returned job has the data that the worker will see.
# Instead: it has the id of the first job and the data of the second. Nothing in it shows that the second was dropped.
# Versions: bullmq 6.7.0 (the newest), ioredis 6.0.0, Redis 7.0.15. Date: 2026-11-28.
# Hurts: producers that log, return or trust what they added: a changed order is confirmed, and the old one is worked on.
# In our code: packages/queue/src/dead-letters.ts adds with a jobId, and does not use the returned job.
# Usage: findings/bullmq-add-returns-unstored-data.sh [version of bullmq]
set -euo pipefail
version=${1:-6.7.0}
command -v redis-server >/dev/null || { echo 'This finding needs redis-server on the PATH.'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "bullmq@$version" ioredis@6.0.0
port=$(node -e 'const s = require("net").createServer();
  s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder" >/dev/null &
redis=$!
trap 'kill "$redis"; wait "$redis" || true; rm -rf "$folder"' EXIT

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

const port = Number(process.argv[2]);
const redis = new Redis({ port, retryStrategy: () => 50, maxRetriesPerRequest: null });
redis.on('error', () => {}); // Redis may still be starting.
await redis.ping();

const queue = new Queue('findings', { connection: redis });
for (const options of [{ jobId: 'order-1' }, { deduplication: { id: 'order-2' } }]) {
  await queue.add('ship', { amount: 1 }, options);
  const returned = await queue.add('ship', { amount: 2 }, options);
  const stored = await queue.getJob(returned.id);
  console.log(options, 'returned:', returned.data, 'stored:', stored.data);
  assert.deepEqual(returned.data, { amount: 2 }, 'the data is that of the stored job');
  assert.deepEqual(stored.data, { amount: 1 });
}
process.exit();
EOF
node look.mjs "$port"
