#!/usr/bin/env bash
# redis-server overwrites its environment in /proc.
#
# Expected: on Linux /proc/PID/environ shows the variables that a process was started with.
# Instead: redis-server writes its title ("redis-server 127.0.0.1:6379") over these variables. The file keeps
#   its length, and no variable is left in it.
# Version: Redis 7.0.15 on Linux. Date: 2026-11-27.
# Hurts: tools that find the processes of a test or a deployment by a variable: they miss Redis, which keeps running.
# In our code: test/support/processes-of.ts checks working folders too.
# Needs redis-server and Linux. Usage: findings/redis-environment.sh
set -euo pipefail
command -v redis-server >/dev/null || { echo 'This finding needs redis-server on the PATH.'; exit 3; }
[ -r /proc/self/environ ] || { echo 'This finding needs the /proc of Linux.'; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

env -i PATH="$PATH" MARK=of-this-test sleep 60 &
other=$!
env -i PATH="$PATH" MARK=of-this-test redis-server --port 0 --unixsocket redis.sock --save '' --dir . >/dev/null &
redis=$!
trap 'kill "$other" "$redis"; wait || true; rm -rf "$folder"' EXIT
for _ in {1..100}; do [ -S redis.sock ] && break; sleep 0.1; done
[ -S redis.sock ]

redis-server --version
marks() { tr '\0' '\n' <"/proc/$1/environ" | grep -c '^MARK=of-this-test$' || true; }
of_other=$(marks "$other")
of_redis=$(marks "$redis")
echo "lines with the variable in /proc/PID/environ: of sleep $of_other, of redis-server $of_redis"
[ "$of_other" = 1 ] && [ "$of_redis" = 0 ] || { echo 'changed: redis-server shows its environment'; exit 1; }
