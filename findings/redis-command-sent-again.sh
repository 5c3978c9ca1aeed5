#!/usr/bin/env bash
# redis-py and go-redis send a command again when its reply is late: INCR counts twice, and a job is pushed twice.
#
# Expected: a command that may have been applied is an error for the caller, as with ioredis and node-redis when a command times out.
#   Only a caller knows whether a second INCR, RPUSH or XADD does harm.
# Instead: both clients close the connection and send it on a new one. Redis applies each copy, once it has time. The caller gets the last
#   reply, and sees no sign of the first. redis-py sends MULTI with EXEC again too.
# Versions: redis (PyPI) 8.1.0, go-redis 9.23.0 (both newest); Redis 7.0.15, Python 3.11. Date: 2026-11-29.
# Hurts: counters, rate limits and queues, when Redis pauses for longer than the timeout (a fork, a slow command, a frozen machine).
# In our code: nothing uses them. packages/admission recognises a repeated request by its id.
# Needs redis-server, python3 and go. The script stops Redis for 450 ms with SIGSTOP, and the clients have a timeout of 300 ms.
set -euo pipefail
for program in redis-server python3 go; do
  command -v "$program" >/dev/null || { echo "$program is missing"; exit 3; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv || { echo 'the module venv of Python is missing'; exit 3; }
venv/bin/pip install --quiet --disable-pip-version-check redis==8.1.0
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
redis-server --port "$port" --bind 127.0.0.1 --save '' --dir "$folder" >/dev/null &
redis=$!
trap 'kill -CONT "$redis"; kill "$redis"; wait "$redis" || true; chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cat >look.py <<'EOF'
import os
import signal
import sys
import threading

import redis

port, server = int(sys.argv[1]), int(sys.argv[2])
retry = redis.retry.Retry(redis.backoff.ExponentialBackoff(base=1, cap=10), 30)
admin = redis.Redis(port=port, retry=retry)
print(admin.info("server")["redis_version"])
client = redis.Redis(port=port, socket_timeout=0.3)


def during_a_pause(command):
    client.ping()
    os.kill(server, signal.SIGSTOP)
    threading.Timer(0.45, os.kill, (server, signal.SIGCONT)).start()
    return command()


replies = [
    during_a_pause(lambda: client.incr("counter")),
    during_a_pause(lambda: client.rpush("queue", "job 1")),
    during_a_pause(lambda: client.pipeline().incr("in a transaction").execute()),
]
print("redis-py: replies", replies, "and", admin.get("counter"), admin.lrange("queue", 0, -1), admin.get("in a transaction"))
assert replies == [2, 2, [2]]
assert admin.lrange("queue", 0, -1) == [b"job 1", b"job 1"]
EOF
venv/bin/python look.py "$port" "$redis"
mkdir go
cd go
cat >main.go <<'EOF'
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

func main() {
	server, _ := strconv.Atoi(os.Args[2])
	ctx := context.Background()
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + os.Args[1], ReadTimeout: 300 * time.Millisecond})
	defer client.Close()
	duringAPause := func(command func()) {
		client.Ping(ctx)
		syscall.Kill(server, syscall.SIGSTOP)
		time.AfterFunc(450*time.Millisecond, func() { syscall.Kill(server, syscall.SIGCONT) })
		command()
	}
	var replies []any
	duringAPause(func() { replies = append(replies, client.Incr(ctx, "go counter").Val()) })
	duringAPause(func() { replies = append(replies, client.RPush(ctx, "go queue", "job 1").Val()) })
	fmt.Println("go-redis: replies", replies, client.Get(ctx, "go counter").Val(), client.LRange(ctx, "go queue", 0, -1).Val())
	if fmt.Sprint(replies) != "[2 2]" {
		panic("go-redis sends each command once")
	}
}
EOF
go mod init look 2>/dev/null
go get github.com/redis/go-redis/v9@v9.23.0 2>/dev/null
go run . "$port" "$redis"
