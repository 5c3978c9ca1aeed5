#!/usr/bin/env bash
# ioredis works in database 0 if the requested database does not exist.
#
# Expected: a connection to database 99 of a server with 16 databases never becomes ready.
# Instead: the failed SELECT is an `error` event. The connection then becomes `ready`, and commands write to database 0.
# Versions: ioredis 6.0.0 (the newest) and 5.6.1, Redis 7.0.15. Date: 2026-11-27.
# Hurts: two installations that share a Redis. A mistyped number makes one write into the other's data.
# In our code: neverInAnotherDatabase in packages/runtime/src/redis/redis-connection.ts.
# Needs redis-server. Usage: findings/ioredis-wrong-database.sh [version of ioredis]
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
const first = new Redis({ port, retryStrategy: () => 50 });
first.on('error', () => {}); // Redis may still be starting.
await first.ping();
console.log((await first.info('server')).match(/redis_version:\S+/)[0]);

const wrong = new Redis(`redis://127.0.0.1:${port}/99`);
const errors = [];
wrong.on('error', ({ message }) => errors.push(message));
await new Promise((ready) => wrong.once('ready', ready));
console.log('the connection to database 99 is ready; its errors:', errors);
console.log('SET there:', await wrong.set('key', 'meant for database 99'));
const found = await first.get('key');
console.log('GET in database 0:', found);
first.disconnect();
wrong.disconnect();
assert.deepEqual(errors, ['ERR DB index is out of range']);
assert.equal(found, 'meant for database 99');
EOF
node look.mjs "$port"
