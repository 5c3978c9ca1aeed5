#!/usr/bin/env bash
# BullMQ counts no job with a priority as waiting, and its list of waiting jobs lacks it.
#
# Expected: three jobs that nobody works on are three waiting jobs, with or without a priority.
# Instead: getWaitingCount(), getJobCounts().waiting and the length of the Redis list are 1. The two with a priority are "prioritized".
#   A paused queue keeps its jobs in the list since version 6, so it looks like a backlog.
# Versions: bullmq 6.7.0 (the newest), ioredis 6.0.0, Redis 7.0.15. Date: 2026-11-28.
# Hurts: autoscalers that watch the list (KEDA's Redis scaler): no worker comes for urgent jobs, and workers come for a paused queue.
# In our code: deploy/kubernetes/worker-scaler.yaml scales by a metric of groups, and our jobs have no priority.
# Usage: findings/bullmq-waiting-count.sh [version of bullmq]
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
await queue.addBulk([1, 2, undefined].map((priority) => ({ name: 'ship', data: {}, opts: { priority } })));
const { waiting, prioritized } = await queue.getJobCounts();
const list = () => redis.llen(queue.toKey('wait'));
const seen = { all: await queue.count(), getWaitingCount: await queue.getWaitingCount(), waiting, prioritized, list: await list() };
console.log(seen);
assert.deepEqual(seen, { all: 3, getWaitingCount: 1, waiting: 1, prioritized: 2, list: 1 });

await queue.pause();
console.log('the list of the paused queue:', await list());
assert.equal(await list(), 1, 'a paused queue has no waiting jobs');
process.exit();
EOF
node look.mjs "$port"
