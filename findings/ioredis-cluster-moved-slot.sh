#!/usr/bin/env bash
# One slot that moves makes ioredis look for its neighbours at the wrong server.
#
# Expected: after a MOVED response for one slot, ioredis asks another server for that slot alone.
# Instead: all slots of a range share one list of servers, and the MOVED response changes that list. Until the next
#   refresh, ioredis looks for every slot of the range at the new server, which redirects each of them back.
# Versions: ioredis 6.0.0 (the newest) and 5.6.1, Redis 7.0.15. Date: 2026-11-27.
# Hurts: a Cluster while slots move. If redirections are limited, keys that have not moved get errors.
# In our code: handleError in packages/runtime/src/redis/cluster-connection.ts.
# Needs redis-server. Usage: findings/ioredis-cluster-moved-slot.sh [version of ioredis]
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
const servers = Array.from({ length: 4 }, () => createServer().listen(0, '127.0.0.1'));
setTimeout(() => {
  console.log(servers.map((server) => server.address().port).join(' '));
  for (const server of servers) server.close();
}, 100);
EOF
read -r a b bus_a bus_b <<<"$(node ports.cjs)"
started=()
trap 'kill "${started[@]}"; wait || true; rm -rf "$folder"' EXIT
for one in "$a $bus_a" "$b $bus_b"; do
  read -r port bus <<<"$one"
  mkdir "$port"
  redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder/$port" --cluster-enabled yes \
    --cluster-port "$bus" --cluster-announce-ip 127.0.0.1 >/dev/null &
  started+=($!)
done

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';

const [a, b, , busB] = process.argv.slice(2).map(Number);
const nodes = [a, b].map((port) => new Redis({ port, retryStrategy: () => 50 }).on('error', () => {}));
await nodes[0].call('CLUSTER', 'ADDSLOTSRANGE', 0, 8191);
await nodes[1].call('CLUSTER', 'ADDSLOTSRANGE', 8192, 16383);
await nodes[0].call('CLUSTER', 'MEET', '127.0.0.1', b, busB);
for (const node of nodes) while (!/state:ok/.test(await node.cluster('INFO'))) await sleep(50);
console.log((await nodes[0].info('server')).match(/redis_version:\S+/)[0]);

/** The number of redirections that both servers have sent. */
async function redirections() {
  const stats = await Promise.all(nodes.map((node) => node.info('errorstats')));
  return stats.reduce((sum, text) => sum + Number(/errorstat_MOVED:count=(\d+)/.exec(text)?.[1] ?? 0), 0);
}

const cluster = new Cluster([{ host: '127.0.0.1', port: a }], { slotsRefreshInterval: 0 });
const keys = [];
for (let i = 0; keys.length < 2; i++) {
  const slot = await nodes[0].cluster('KEYSLOT', `key${i}`);
  if (slot < 8192) keys.push({ key: `key${i}`, slot });
}
const [moves, stays] = keys;
for (const { key } of keys) await cluster.get(key);
assert.equal(await redirections(), 0);

const newOwner = await nodes[1].cluster('MYID');
for (const node of [...nodes].reverse()) await node.cluster('SETSLOT', moves.slot, 'NODE', newOwner);
cluster.refreshSlotsCache = () => {}; // The test is about the state until the next refresh.
await cluster.get(moves.key);
const forTheMoved = await redirections();
const stayed = cluster.slots[stays.slot][0];
console.log(`slot ${moves.slot} moved from port ${a} to port ${b}; redirections for its key: ${forTheMoved}`);
console.log(`ioredis now looks for slot ${stays.slot}, which did not move, at ${stayed}`);
await cluster.get(stays.key);
const forTheOther = (await redirections()) - forTheMoved;
console.log(`redirections for the key that did not move: ${forTheOther}`);
for (const one of [...nodes, cluster]) one.disconnect();
assert.equal(stayed, `127.0.0.1:${b}`);
assert.equal(forTheOther, 1);
EOF
node look.mjs "$a" "$b" "$bus_a" "$bus_b"
