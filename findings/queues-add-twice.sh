#!/usr/bin/env bash
# One call of BullMQ, RQ or Celery adds two jobs, if the connection to Redis closes before the response.
#
# Expected: an addition whose response is lost is an error for the caller, or has one effect.
# Instead: the clients send it again, and the call succeeds. BullMQ has two jobs with two ids, of which it returns the second; addBulk
#   adds all of them again. RQ and Celery have the id twice in the list. Only a BullMQ job with a `jobId` comes once.
# Versions: bullmq 6.7.0 with ioredis 6.0.0, rq 3.0.0, celery 5.7.0 with kombu 5.7.0, redis-py 8.1.0; Redis 7.0.15. Date: 2026-11-28.
# Hurts: jobs that send mails or charge cards, at each failover or restart of a proxy.
# In our code: packages/runtime/src/redis/redis-connection.ts has autoResendUnfulfilledCommands: false for requests. The sender retries,
#   and packages/admission/src/checks/duplicates.lua.ts finds the repetition.
set -euo pipefail
for program in redis-server python3; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts bullmq@6.7.0 ioredis@6.0.0
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check rq==3.0.0 celery==5.7.0 kombu==5.7.0 redis==8.1.0 packaging==26.4
port=$(node -e 'const s = require("net").createServer();
  s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder" >/dev/null &
redis=$!
trap 'kill "$redis"; wait "$redis" || true; rm -rf "$folder"' EXIT

cat >look.py <<'EOF'
import sys

import redis
import rq
from celery import Celery

proxy, port = sys.argv[1:]
queue = rq.Queue("mails", connection=redis.Redis(port=int(proxy)))
queue.connection.ping()
queue.enqueue("os.path.exists", "cut-rq")
app = Celery(broker=f"redis://127.0.0.1:{proxy}/0")
app.send_task("warm", queue="warm")  # It opens the connection.
app.send_task("mail", ["cut-celery"], queue="celery")
direct = redis.Redis(port=int(port))
jobs, tasks = direct.lrange("rq:queue:mails", 0, -1), direct.llen("celery")
print("RQ, ids in the list:", [job.decode() for job in jobs], "Celery, tasks in the list:", tasks)
assert len(jobs) == 2 and len(set(jobs)) == 1 and tasks == 2
EOF
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';

const port = Number(process.argv[2]);
const redis = new Redis({ port, retryStrategy: () => 50, maxRetriesPerRequest: null });
redis.on('error', () => {}); // Redis may still be starting.
await redis.ping();

/** Closes a connection once for each mark, after Redis has run the command that has it and before the response. */
const cut = new Set();
const proxy = createServer((client) => {
  const server = connect(port, '127.0.0.1');
  let isLost = false;
  for (const [one, other] of [[client, server], [server, client]]) one.on('error', () => {}).on('close', () => other.destroy());
  client.on('data', (bytes) => {
    const [mark] = /cut-\w+/.exec(bytes.toString('latin1')) ?? [];
    if (mark !== undefined && !cut.has(mark)) isLost = cut.add(mark).has(mark);
    server.write(bytes);
  });
  server.on('data', (bytes) => (isLost ? client.destroy() : client.write(bytes)));
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');

const queue = new Queue('mails', { connection: { port: proxy.address().port } });
queue.on('error', () => {});
await queue.waitUntilReady();
const { id } = await queue.add('mail', { to: 'cut-add' });
await queue.addBulk([{ name: 'mail', data: { to: 'cut-bulk' } }, { name: 'mail', data: { to: 'other' } }]);
await queue.add('mail', { to: 'cut-id' }, { jobId: 'mail-7' });
const jobs = (await queue.getWaiting()).map((job) => `${job.id}: ${job.data.to}`);
console.log(`BullMQ returned job ${id}, and has`, jobs);
assert.equal(jobs.filter((job) => job.endsWith('cut-add')).length, 2);
assert.equal(jobs.filter((job) => job.endsWith('other')).length, 2);
assert.equal(jobs.filter((job) => job.endsWith('cut-id')).length, 1);
await queue.close();

const python = spawn('venv/bin/python', ['look.py', String(proxy.address().port), String(port)], { stdio: 'inherit' });
const [code] = await once(python, 'exit');
process.exit(code);
EOF
node look.mjs "$port"
