#!/usr/bin/env bash
# A job scheduler of BullMQ runs after its end date, and its limit begins again each time that it is upserted.
#
# Expected: `limit: 2` is two runs in all, and nothing runs after `endDate`. upsertJobScheduler() may be called at each start of a
#   program, as the documentation advises, and leaves one job.
# Instead: each upsert gives two more runs, although the scheduler's own count of iterations goes on. With `every` one run comes
#   after the end. A scheduler that has ended stays in the list, with a `next` in the past. In a paused queue an upsert leaves the
#   waiting job with its old data, and adds another.
# Versions: bullmq 6.7.0 (the newest), Redis 7.0.15. Date: 2026-11-28.
# Hurts: reminders and trials that are limited: each deployment or restart repeats them.
# In our code: no scheduler; packages/queue enqueues what has come in.
# Usage: findings/bullmq-scheduler-end.sh [version of bullmq]
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
import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';

const redis = new Redis({ port: Number(process.argv[2]), retryStrategy: () => 50, maxRetriesPerRequest: null });
redis.on('error', () => {}); // Redis may still be starting.
await redis.ping();
const queue = new Queue('findings', { connection: redis });
const runs = [];
const worker = new Worker('findings', async ({ name }) => runs.push({ name, at: Date.now() }), { connection: redis });

/** The runs of a scheduler, until none has come for longer than any interval below. */
async function runsOf(name, repeat) {
  runs.length = 0;
  await queue.upsertJobScheduler(name, repeat, { name });
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 2_000, false));
  while (await Promise.race([once(worker, 'completed'), quiet()]));
  return runs.filter((run) => run.name === name).map(({ at }) => at);
}
const limited = [];
for (const start of ['first', 'second', 'third'])
  limited.push({ start, runs: (await runsOf('limited', { every: 200, limit: 2 })).length });
const { iterationCount, next } = await queue.getJobScheduler('limited');
console.log('limit 2, runs after each start:', limited, { iterationCount, 'next is past': next < Date.now() });
assert.deepEqual(limited.map((one) => one.runs), [2, 2, 2]);
assert.ok(iterationCount > 2 && next < Date.now());

const endDate = Date.now() + 500;
const late = (await runsOf('ending', { every: 1_000, endDate })).map((at) => at > endDate);
console.log('every 1000 ms with an end in 500 ms, is a run after the end:', late);
assert.deepEqual(late, [false, true]);

await queue.pause();
for (const data of [{ deploy: 1 }, { deploy: 2 }])
  await queue.upsertJobScheduler('paused', { every: 3_600_000 }, { name: 'paused', data });
const jobs = (await queue.getJobs(['wait', 'delayed'])).map(({ data, delay }) => ({ ...data, delayed: delay > 0 }));
console.log('two upserts in a paused queue leave:', jobs);
assert.deepEqual(jobs.sort((a, b) => a.deploy - b.deploy), [{ deploy: 1, delayed: false }, { deploy: 2, delayed: true }]);
process.exit();
EOF
node look.mjs "$port"
