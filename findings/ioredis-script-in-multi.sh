#!/usr/bin/env bash
# A command of ioredis that is a Lua script fails in each multi() after a SCRIPT FLUSH, and the rest of the transaction is applied.
#
# Expected: `defineCommand` loads its script again where Redis lacks it, in a transaction as elsewhere.
# Instead: alone and in a pipeline it does. In multi() the result has "NOSCRIPT" for this command, exec() resolves, and the other
#   commands have their effect. It stays so until the command is called outside of a transaction.
# Versions: ioredis 6.0.0 (the newest), Redis 7.0.15. Date: 2026-11-28.
# Hurts: counters or limits in a transaction with other writes, after somebody flushed the scripts to replace one.
# In our code: packages/admission does its work in one script without multi().
# Usage: findings/ioredis-script-in-multi.sh [version of ioredis]
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

const redis = new Redis({ port: Number(process.argv[2]), retryStrategy: () => 50, maxRetriesPerRequest: null });
redis.on('error', () => {}); // Redis may still be starting.
await redis.ping();
redis.defineCommand('count', { numberOfKeys: 1, lua: "return redis.call('INCR', KEYS[1])" });

const outcome = ([error, result]) => (error === null ? String(result) : error.message.split(' ')[0]);
const seen = [];
async function look(when, commands) {
  await redis.del('row');
  const results = await commands.set('row', 'stored').count('rows').exec();
  seen.push({ when, set: outcome(results[0]), count: outcome(results[1]), row: await redis.get('row') });
}
await look('multi, first', redis.multi());
await redis.script('FLUSH');
await look('multi, flushed', redis.multi());
await look('multi, again', redis.multi());
await look('pipeline', redis.pipeline());
await redis.script('FLUSH');
await redis.count('rows');
await look('multi, after a call alone', redis.multi());
console.table(seen);
assert.deepEqual(seen.map((row) => row.count), ['1', 'NOSCRIPT', 'NOSCRIPT', '2', '4']);
assert.ok(seen.every((row) => row.row === 'stored'), 'the transaction is not applied');
process.exit();
EOF
node look.mjs "$port"
