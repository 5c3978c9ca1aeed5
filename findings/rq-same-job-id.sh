#!/usr/bin/env bash
# Two jobs with one id in RQ run the second one twice, and the first one never.
#
# Expected: the second is refused or ignored, as in BullMQ, or both run.
# Instead: the id is in the queue twice, and the second job replaces the data of the first. Both runs get the arguments of the
#   second. Only `unique=True` makes the second enqueue() raise DuplicateJobError.
# Versions: rq 3.0.0 (the newest), redis-py 5.3.1, Redis 7.0.15, Python 3.11. Date: 2026-11-28.
# Hurts: a queue of webhooks whose job_id is the id of the record: one change is lost, and the other is applied twice.
# In our code: packages/queue names no id, except for dead letters. packages/admission finds duplicates by the ids of senders.
set -euo pipefail
for program in python3 redis-server; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check rq==3.0.0 redis==5.3.1
redis-server --port 0 --unixsocket "$folder/redis" --save '' --dir "$folder" >/dev/null &
redis=$!
trap 'kill "$redis"; wait "$redis" || true; rm -rf "$folder"' EXIT
cat >jobs.py <<'EOF'
ran = []


def note(change):
    ran.append(change)
EOF
cat >look.py <<'EOF'
import time

from redis import Redis
from redis.exceptions import ConnectionError
from rq import Queue, SimpleWorker
from rq.exceptions import DuplicateJobError

import jobs

redis = Redis(unix_socket_path="redis")
for _ in range(100):
    try:
        redis.ping()
        break
    except ConnectionError:
        time.sleep(0.05)
queue = Queue(connection=redis)
for change in "created", "deleted":
    queue.enqueue(jobs.note, change, job_id="lead_1")
waiting = queue.job_ids
SimpleWorker([queue], connection=redis).work(burst=True, logging_level="ERROR")
print("waiting:", waiting, "ran:", jobs.ran)
assert waiting == ["lead_1", "lead_1"]
assert jobs.ran == ["deleted", "deleted"]

queue.enqueue(jobs.note, "created", job_id="lead_2", unique=True)
try:
    queue.enqueue(jobs.note, "deleted", job_id="lead_2", unique=True)
    raise SystemExit("a second unique job is accepted now")
except DuplicateJobError as error:
    print("with unique=True:", error)
EOF
venv/bin/python look.py
