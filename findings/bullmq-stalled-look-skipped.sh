#!/usr/bin/env bash
# A BullMQ worker skips one in some ten or twenty of its looks for stalled jobs.
#
# Expected: a single worker with `stalledInterval: 100` looks for stalled jobs every 100 ms.
# Instead: each look leaves a key in Redis that expires after the interval, and looks are skipped while it exists. The
#   worker's timer and Redis's clock measure the same 100 ms, so the timer often comes a moment too early. The next
#   try is a whole interval later.
# Versions: bullmq 6.7.0 (the newest), ioredis 6.0.0, Redis 7.0.15. Date: 2026-11-27.
# Hurts: a promise about the time until another worker takes over. The worst case has one more interval than documented.
# In our code: STALLED_INTERVAL_MS in packages/queue/src/takeover.ts allows for a skipped look.
# Needs redis-server. Usage: findings/bullmq-stalled-look-skipped.sh [version of bullmq]
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
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';

const port = Number(process.argv[2]);
const redis = new Redis({ port, retryStrategy: () => 50 });
redis.on('error', () => {}); // Redis may still be starting.
await redis.ping();
console.log((await redis.info('server')).match(/redis_version:\S+/)[0]);

// BullMQ's script checks whether the key exists. If not, it sets the key and looks for stalled jobs.
const seen = { exists: 0, set: 0 };
const monitor = await redis.monitor();
monitor.on('monitor', (_time, [command, key]) => {
  const name = command.toLowerCase();
  if (name in seen && key.endsWith(':stalled-check')) seen[name] += 1;
});

const connection = { port, maxRetriesPerRequest: null };
new Worker('findings', async () => {}, { connection, stalledInterval: 100 });
await sleep(20_000);
const { exists: begun, set: done } = seen;
console.log(`begun in 20 s: ${begun}; done: ${done}; skipped: ${begun - done}`);
assert.ok(done > 50, 'the worker looks for stalled jobs');
assert.ok(begun - done > 0, 'no look is skipped any more');
process.exit();
EOF
node look.mjs "$port"
