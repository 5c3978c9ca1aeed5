#!/usr/bin/env bash
# ioredis's commandTimeout ends a BLPOP early, and the element that comes later is lost.
#
# Expected: a blocking command with its own limit of 5 s is left alone by `commandTimeout: 200`, or its connection is closed.
# Instead: it rejects after 200 ms, and still waits in Redis. Redis gives it the next element, which ioredis drops. The same timeout cuts
#   short what the README promises for blockingTimeout: null after the command's own limit.
# Versions: ioredis 6.0.0 (the newest), Redis 7.0.15. Date: 2026-11-28.
# Hurts: hand-made queues: with a quiet list, every pop that times out costs one job.
# In our code: connections with a commandTimeout (packages/runtime/src/redis/redis-connection.ts) send no blocking command.
# Usage: findings/ioredis-timeout-loses-element.sh [version of ioredis]
set -euo pipefail
version=${1:-6.0.0}
command -v redis-server >/dev/null || { echo 'This finding needs redis-server on the PATH.'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "ioredis@$version"
port=$(node -e 'const s = require("net").createServer();
  s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder" >/dev/null &
redis=$!
trap 'kill "$redis"; wait "$redis" || true; rm -rf "$folder"' EXIT

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { Redis } from 'ioredis';

const port = Number(process.argv[2]);
const producer = new Redis({ port, retryStrategy: () => 50, maxRetriesPerRequest: null });
producer.on('error', () => {}); // Redis may still be starting.
await producer.ping();

const consumer = new Redis({ port, commandTimeout: 200, blockingTimeout: 10_000 });
const begun = performance.now();
const outcome = await consumer.blpop('jobs', 5).catch(({ message }) => message);
console.log(`BLPOP jobs 5: ${outcome}, after ${Math.round(performance.now() - begun)} ms`);
assert.equal(outcome, 'Command timed out', 'blocking commands have their own limit');

console.log('RPUSH jobs order-1: length', await producer.rpush('jobs', 'order-1'));
await consumer.ping(); // Redis has answered the BLPOP before this.
const left = await producer.lrange('jobs', 0, -1);
console.log('left in the list:', left, '; the connection is', consumer.status);
assert.deepEqual(left, [], 'the element is still there');
assert.equal(consumer.status, 'ready');
process.exit();
EOF
node look.mjs "$port"
