#!/usr/bin/env bash
# ioredis reports "write EPIPE" although Redis gives the reason for closing a new connection.
#
# Expected: the error of the connection is the one that Redis sends: "ERR max number of clients reached".
# Instead: ioredis writes to the closed socket at once, and reports the error of that write. Redis's sentence is lost.
#   Redis sends it at connect, before any command, and closes. In protected mode it does the same.
# Versions: ioredis 6.0.0 (the newest), not 5.6.1; Redis 7.0.15. Date: 2026-11-27.
# Hurts: an operator, who looks for a network fault although a limit of Redis is reached.
# In our code: redisRefusal in packages/runtime/src/redis/redis-refusal.ts listens to the server once more.
# Needs redis-server. Usage: findings/ioredis-maxclients.sh [version of ioredis]
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
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder" --maxclients 1 >/dev/null &
redis=$!
trap 'kill "$redis"; wait "$redis" || true; rm -rf "$folder"' EXIT

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Redis } from 'ioredis';

const port = Number(process.argv[2]);
const only = new Redis({ port, retryStrategy: () => 50 });
only.on('error', () => {}); // Redis may still be starting.
await only.ping();
console.log((await only.info('server')).match(/redis_version:\S+/)[0]);

const plain = connect(port, '127.0.0.1');
const [sent] = await once(plain, 'data');
console.log('what Redis sends to a second connection:', JSON.stringify(String(sent)));

const errors = [];
const second = new Redis({ port, retryStrategy: (attempt) => (attempt < 10 ? 20 : null) });
second.on('error', ({ message }) => errors.push(message));
await new Promise((end) => second.once('end', end));
console.log(`what ioredis ${process.argv[3]} reports in 10 attempts:`, errors);
only.disconnect();
assert.match(String(sent), /max number of clients reached/);
assert.ok(errors.length > 0, 'ioredis reports no error');
assert.ok(!errors.some((message) => message.includes('max number')), 'ioredis reports what Redis says');
EOF
node look.mjs "$port" "$version"
