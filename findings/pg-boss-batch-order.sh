#!/usr/bin/env bash
# pg-boss hands out the jobs of a batch in an arbitrary order.
#
# Expected: `fetch(queue, { batchSize: 12 })` and `work(queue, { batchSize: 12 }, …)` list the oldest job first, or the one with the
#   highest priority, as fetching them one by one does.
# Instead: the batch has the right jobs, and they are shuffled. Its query picks them in order and updates them, and PostgreSQL returns
#   updated rows in any order. With a `batchSize` of 2 the order is often right, so that a small test passes.
# Versions: pg-boss 12.38.0 (the newest, needs Node 22), PostgreSQL 15.18 and PGlite 0.5.17. Date: 2026-11-29.
# Hurts: handlers that process a batch from its start: changes of a record are applied in another order than they were sent.
# In our code: no PostgreSQL; jobs are in Redis (packages/queue).
# Usage: findings/pg-boss-batch-order.sh [version of pg-boss]. With POSTGRES_URL it asks that server, in a schema that it drops.
set -euo pipefail
version=${1:-12.38.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
platform=$(node -p 'process.platform + "-" + process.arch')
npm install --silent --no-audit --no-fund --ignore-scripts "pg-boss@$version" @electric-sql/pglite@0.5.17 "node-$platform@26.10.0"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { PGlite } from '@electric-sql/pglite';
import { PgBoss } from 'pg-boss';

const pglite = process.env.POSTGRES_URL ? undefined : new PGlite();
const db = {
  /** Without values, pg-boss may send several statements at once, and wants the rows of all. */
  executeSql: async (text, values) =>
    values?.length ? pglite.query(text, values) : { rows: (await pglite.exec(text)).flatMap(({ rows }) => rows) },
};
const place = pglite ? { db } : { connectionString: process.env.POSTGRES_URL };
const boss = new PgBoss({ ...place, schema: 'findings_pgboss', supervise: false, schedule: false });
boss.on('error', console.error);
await boss.start();

const numbers = Array.from({ length: 30 }, (_, n) => n);
async function filled(queue, priority) {
  await boss.createQueue(queue);
  for (const n of numbers) await boss.send(queue, { n }, { priority: priority(n) });
}
const order = (jobs) => jobs.map(({ data }) => data.n);
const sorted = (list) => list.toSorted((a, b) => a - b);
const look = {};

await filled('one', () => 0);
look['one by one'] = [];
for (const _ of numbers.slice(0, 12)) look['one by one'].push(...order(await boss.fetch('one')));

await filled('batch', () => 0);
look['fetch, a batch of 12'] = order(await boss.fetch('batch', { batchSize: 12 }));

await filled('work', () => 0);
look['work, a batch of 12'] = await new Promise((resolve) =>
  boss.work('work', { batchSize: 12, pollingIntervalSeconds: 0.5 }, async (jobs) => resolve(order(jobs))));

await filled('priority', (n) => n);
look['priority n, a batch of 12'] = order(await boss.fetch('priority', { batchSize: 12 }));

for (const [name, list] of Object.entries(look)) console.log(`${name}:`, list.join(' '));
const [single, ...batches] = Object.values(look);
assert.deepEqual(single, numbers.slice(0, 12));
for (const batch of batches) {
  const right = batch === look['priority n, a batch of 12'] ? numbers.slice(-12) : numbers.slice(0, 12);
  assert.deepEqual(sorted(batch), right, 'the right jobs');
  assert.notDeepEqual(batch, right);
  assert.notDeepEqual(batch, right.toReversed());
}
await boss.getDb().executeSql('DROP SCHEMA findings_pgboss CASCADE');
process.exit();
EOF
"node_modules/node-$platform/bin/node" look.mjs
