#!/usr/bin/env bash
# A Lua script that loses empty lists and long ids in Redis passes its test with fakeredis.
#
# Expected: the scripts of a test see the JSON that Redis would make.
# Instead: cjson.encode() of an empty table is `[]` in fakeredis and `{}` in Redis, and 10000000000000000 keeps its digits, where Redis
#   has 1e+16. HINCRBYFLOAT of 1 by 0.1 is 1.1 in Redis, and 1.10000000000000009 in fakeredis.
# Versions: fakeredis 2.41.0, redis-py 8.1.0 (both newest), Redis 7.0.15, Python 3.11. Date: 2026-11-28.
# Hurts: queues and rate limits in Lua that keep JSON: a lead without tags comes back with an object, in production only.
# In our code: the scripts of packages/admission and packages/mailboxes are tested with a real Redis.
set -euo pipefail
for program in python3 redis-server; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check 'fakeredis[lua]==2.41.0' redis==8.1.0
redis-server --port 0 --unixsocket "$folder/redis" --save '' --dir "$folder" >/dev/null &
redis=$!
trap 'kill "$redis"; wait "$redis" || true; rm -rf "$folder"' EXIT
cat >look.py <<'EOF'
import time

from fakeredis import FakeRedis
from redis import Redis
from redis.exceptions import ConnectionError

real = Redis(unix_socket_path="redis", decode_responses=True)
for _ in range(100):
    try:
        real.ping()
        break
    except ConnectionError:
        time.sleep(0.05)
fake = FakeRedis(version=(7,), decode_responses=True)
looks = {
    "no tags": lambda redis: redis.eval("return cjson.encode({tags = {}})", 0),
    "stored again": lambda redis: redis.eval("return cjson.encode(cjson.decode(ARGV[1]))", 0, '{"tags":[]}'),
    "a long id": lambda redis: redis.eval("return cjson.encode({id = 10000000000000000})", 0),
    "HINCRBYFLOAT": lambda redis: (redis.hset("h", "n", 1), redis.hincrbyfloat("h", "n", 0.1), redis.hget("h", "n"))[2],
}
seen = {name: (look(real), look(fake)) for name, look in looks.items()}
for name, (by_redis, by_fake) in seen.items():
    print(f"{name}: Redis {by_redis}, fakeredis {by_fake}")
assert seen == {
    "no tags": ('{"tags":{}}', '{"tags":[]}'),
    "stored again": ('{"tags":{}}', '{"tags":[]}'),
    "a long id": ('{"id":1e+16}', '{"id":10000000000000000}'),
    "HINCRBYFLOAT": ("1.1", "1.10000000000000009"),
}
EOF
venv/bin/python look.py
