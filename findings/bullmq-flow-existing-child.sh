#!/usr/bin/env bash
# A parent of a BullMQ flow waits forever for a child that exists already: one that has failed, or one that another parent waits for.
#
# Expected: a flow with a child whose id exists takes the state of that job. BullMQ does so with a completed child: the parent is ready
#   at once. So a child that has failed fails the parent with `failParentOnFailure`, and is ignored with `ignoreDependencyOnFailure`.
#   A child of two parents frees both.
# Instead: with a failed child the parent stays in `waiting-children`, with each of these options. Of two parents with one waiting child
#   only the first becomes ready, and the second has no dependency. `add()` of the flow reports nothing, while `add()` of a queue with
#   the same child and parent rejects: "cannot be replaced".
# Versions: bullmq 6.7.0 (newest), ioredis 6.0.0; Redis 7.0.15. Date: 2026-11-29.
# Hurts: flows whose ids come from the data, as "resize image 7", to do a shared step once, or to try a failed one again.
# In our code: no flows.
# Needs redis-server. Usage: findings/bullmq-flow-existing-child.sh [version of bullmq]
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
import bullmq from 'bullmq';
import { Redis } from 'ioredis';

const port = Number(process.argv[2]);
const connection = new Redis({ port, maxRetriesPerRequest: null });
connection.on('error', () => {}); // Redis may still be starting.
console.log((await connection.info('server')).match(/redis_version:\S+/)[0]);
const children = new bullmq.Queue('children', { connection });
const flows = new bullmq.FlowProducer({ connection });
/** A parent with one child of this id. */
async function parentOf(jobId, options = {}) {
  const child = { name: 'child', queueName: 'children', opts: { jobId, ...options } };
  const flow = await flows.add({ name: 'parent', queueName: 'parents', children: [child] });
  return flow.job;
}
/** Runs the child that waits to its end. */
async function runOne(end) {
  const run = async (job) => {
    if (job.id.startsWith('fails')) throw new Error('no');
  };
  const worker = new bullmq.Worker('children', run, { connection: { port, maxRetriesPerRequest: null } });
  await once(worker, end);
  await worker.close();
}
const seen = {};
await children.add('child', {}, { jobId: 'completes' });
await runOne('completed');
seen['has completed'] = [await (await parentOf('completes')).getState()];
assert.deepEqual(seen['has completed'], ['waiting']);

for (const [at, options] of [{}, { failParentOnFailure: true }, { ignoreDependencyOnFailure: true }, { continueParentOnFailure: true }].entries()) {
  await children.add('child', {}, { jobId: `fails ${at}` });
  await runOne('failed');
  const parent = await parentOf(`fails ${at}`, options);
  const { unprocessed } = await parent.getDependenciesCount();
  const state = [await parent.getState(), unprocessed];
  seen[`has failed ${Object.keys(options)}`] = state;
  assert.deepEqual(state, ['waiting-children', 1]);
}

const parents = [await parentOf('shared'), await parentOf('shared')];
assert.equal((await parents[1].getDependenciesCount()).unprocessed, 0);
const parent = { id: parents[1].id, queue: 'bull:parents' };
await assert.rejects(children.add('child', {}, { jobId: 'shared', parent }), /cannot be replaced/);
await runOne('completed');
seen['of two parents completes'] = await Promise.all(parents.map((parent) => parent.getState()));
assert.deepEqual(seen['of two parents completes'], ['waiting', 'waiting-children']);
console.log('parents of a child that');
console.log(seen);
await flows.close();
await children.close();
connection.disconnect();
EOF
node look.mjs "$port"
