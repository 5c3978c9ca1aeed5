#!/usr/bin/env bash
# ioredis subscribes again after a reconnect, and nobody can handle Redis's refusal: the process gets an unhandled rejection.
#
# Expected: a refused automatic subscription is an `error` event of the connection, as a lost connection is.
# Instead: it is a promise that ioredis drops. Node ends the process. The connection stays `ready` and subscribed to nothing.
# Versions: ioredis 6.0.0 (the newest); Redis 7.0.15. Date: 2026-11-27.
# Hurts: every process with a subscription, when the right to subscribe is taken from its user and the connection is renewed.
# In our code: the role `subscriber` of packages/runtime/src/redis, and createResults of services/ingress, which subscribe on `ready`.
# Needs redis-server. Usage: findings/ioredis-resubscribe-refused.sh [version of ioredis]
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
import { once } from 'node:events';
import { Redis } from 'ioredis';

const port = Number(process.argv[2]);
const open = () => new Redis({ port, retryStrategy: () => 20, maxRetriesPerRequest: null });
const [admin, subscriber] = [open(), open()];
const events = [];
for (const one of [admin, subscriber]) one.on('error', ({ message }) => events.push(message));
console.log((await admin.info('server')).match(/redis_version:\S+/)[0]);
await subscriber.subscribe('news');
events.length = 0; // Redis may still have been starting.

const unhandled = once(process, 'unhandledRejection');
await admin.call('ACL', 'SETUSER', 'default', '-subscribe');
await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
const [error] = await unhandled;
console.log('unhandled rejection:', error.message);
assert.match(error.message, /^NOPERM/);
assert.equal(subscriber.status, 'ready');
assert.equal(await admin.publish('news', 'x'), 0, 'it is subscribed');
assert.deepEqual(events.filter((text) => text.startsWith('NOPERM')), [], 'there is an error event now');
console.log('status:', subscriber.status, '- error events:', events);
admin.disconnect();
subscriber.disconnect();
EOF
node look.mjs "$port"
