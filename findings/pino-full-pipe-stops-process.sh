#!/usr/bin/env bash
# pino stops the whole process for 100 ms each time its stdout is full, although the reader makes room at once.
#
# Expected: a line that does not fit waits for room, and the event loop goes on; or the line is dropped.
# Instead: with `pino.destination({ dest: 1, sync: true })`, sonic-boom sleeps 100 ms in the thread before each further try. No timer and no
#   request runs meanwhile. It needs a stdout that does not block: Node makes a pipe so as soon as anything reads `process.stdout`,
#   as loggers, colour libraries and debuggers do.
# Versions: pino 10.4.0, sonic-boom 4.2.1. Date: 2026-11-29. Both Nodes.
# Hurts: a server that logs each request answers nobody for 100 ms, several times a second, when a burst of requests fills the pipe.
#   Its CPU stays low, and its event loop counts as busy.
# In our code: packages/runtime/src/telemetry/turn-writer.ts writes the lines instead.
set -euo pipefail
pino=${1:-10.4.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "pino@$pino" sonic-boom@4.2.1
cat >server.mjs <<'EOF'
import { pino } from 'pino';

process.stdout.isTTY;
const logger = pino(pino.destination({ dest: 1, sync: true }));
let last = performance.now();
let longest = 0;
const timer = setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
}, 1);
process.once('message', () => {
  // Some 2 MB in one turn, as many short requests would log them.
  const before = performance.now();
  for (let i = 0; i < 20_000; i++) logger.info({ request: i }, 'request answered');
  const stopped = performance.now() - before;
  clearInterval(timer);
  process.send({ stopped });
  process.disconnect();
});
process.send('up');
EOF
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';

const child = fork('server.mjs', { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
await once(child, 'message');
let bytes = 0;
let lastRead = performance.now();
let longestSilence = 0;
// This reader takes everything at once.
child.stdout.on('data', (data) => {
  bytes += data.length;
  longestSilence = Math.max(longestSilence, performance.now() - lastRead);
  lastRead = performance.now();
});
child.send('go');
lastRead = performance.now();
const [{ stopped }] = await once(child, 'message');
console.log(`${Math.round(bytes / 1000)} kB read; the process was stopped for ${Math.round(stopped)} ms, and wrote nothing for ${Math.round(longestSilence)} ms at a time`);
assert.ok(longestSilence >= 95, 'it no longer sleeps between two tries');
assert.ok(stopped >= 95);
EOF
node look.mjs
