#!/usr/bin/env bash
# A BullMQ worker repeats a refused command thousands of times a second.
#
# Expected: a worker waits between tries while Redis is at its memory limit. Its `runRetryDelay` is 15 s by default.
# Instead: after an error response of Redis the worker tries again at once, and each try is an `error` event. Both Redis
#   and the worker are busy with it.
# Versions: bullmq 6.7.0 (the newest), ioredis 6.0.0, Redis 7.0.15. Date: 2026-11-27. Compare taskforcesh/bullmq#3834.
# Hurts: logs, and the processor of a Redis that is already in trouble.
# In our code: packages/queue/src/consumer-errors.ts stops the worker for a while after an error.
# Needs redis-server. Usage: findings/bullmq-no-pause-after-redis-error.sh [version of bullmq]
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
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder" --maxmemory-policy noeviction >/dev/null &
redis=$!
trap 'kill "$redis"; wait "$redis" || true; rm -rf "$folder"' EXIT

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

const port = Number(process.argv[2]);
const redis = new Redis({ port, retryStrategy: () => 50 });
redis.on('error', () => {}); // Redis may still be starting.
await redis.ping();
console.log((await redis.info('server')).match(/redis_version:\S+/)[0]);

const queue = new Queue('findings', { connection: { port } });
await queue.add('job', {});
await redis.config('SET', 'maxmemory', '1mb');

const connection = { port, maxRetriesPerRequest: null };
const worker = new Worker('findings', async () => {}, { connection });
const errors = [];
worker.on('error', ({ message }) => errors.push(message));
await sleep(1000);
console.log(`runRetryDelay: ${worker.opts.runRetryDelay} ms; errors in the first second: ${errors.length}`);
console.log('the first one:', errors[0]);
assert.match(errors[0], /^OOM command not allowed/);
assert.equal(worker.opts.runRetryDelay, 15_000);
assert.ok(errors.length > 100, 'the worker waits between its tries');
process.exit();
EOF
node look.mjs "$port"
