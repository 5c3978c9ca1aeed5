#!/usr/bin/env bash
# A closed ioredis Cluster keeps a timer if it was closed while it refreshed its slots.
#
# Expected: after `disconnect()` a Cluster keeps nothing that keeps the process running.
# Instead: `disconnect()` clears the timer of `slotsRefreshInterval`. A refresh that is under way sets it again when it
#   ends, and each later refresh does so too. The process then does not end without process.exit().
# Versions: ioredis 6.0.0 (the newest) and 5.6.1, Redis 7.0.15. Date: 2026-11-27.
# Hurts: command-line tools and graceful stops, in the few milliseconds of a refresh: rarely, so it is hard to find.
# In our code: `closed` in packages/runtime/src/redis/cluster-connection.ts.
# Needs redis-server. Usage: findings/ioredis-cluster-refresh-timer.sh [version of ioredis]
set -euo pipefail
version=${1:-6.0.0}
command -v redis-server >/dev/null || { echo 'This finding needs redis-server on the PATH.'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "ioredis@$version"
cat >ports.cjs <<'EOF'
const { createServer } = require('node:net');
const servers = Array.from({ length: 2 }, () => createServer().listen(0, '127.0.0.1'));
setTimeout(() => {
  console.log(servers.map((server) => server.address().port).join(' '));
  for (const server of servers) server.close();
}, 100);
EOF
read -r port bus <<<"$(node ports.cjs)"
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder" --cluster-enabled yes \
  --cluster-port "$bus" --cluster-announce-ip 127.0.0.1 >/dev/null &
redis=$!
trap 'kill "$redis"; wait "$redis" || true; rm -rf "$folder"' EXIT

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';

const port = Number(process.argv[2]);
const node = new Redis({ port, retryStrategy: () => 50 }).on('error', () => {});
await node.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16383);
while (!/state:ok/.test(await node.cluster('INFO'))) await sleep(50);
console.log((await node.info('server')).match(/redis_version:\S+/)[0]);
node.disconnect();

/** The timers of the process, after those of a closing connection have ended. */
async function timersLater() {
  await sleep(2000);
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

async function timersAfterClosing(closeAt) {
  const cluster = new Cluster([{ host: '127.0.0.1', port }], { slotsRefreshInterval: 100 });
  await cluster.ping();
  if (closeAt === 'between refreshes') cluster.disconnect();
  else {
    // The event comes at the end of a refresh, before ioredis sets the timer for the next one.
    cluster.once('refresh', () => cluster.disconnect());
    await once(cluster, 'end');
  }
  const timers = await timersLater();
  console.log(`closed ${closeAt}: status ${cluster.status}, timers 2 s later: ${timers}`);
  return timers;
}

const between = await timersAfterClosing('between refreshes');
const during = await timersAfterClosing('during a refresh');
assert.equal(between, 0);
assert.equal(during, 1, 'the closed Cluster keeps no timer');
process.exit();
EOF
node look.mjs "$port"
