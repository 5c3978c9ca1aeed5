#!/usr/bin/env bash
# `maxAttempts: 3` of cockatiel makes four calls.
#
# Expected: three, as its description is "the number of attempts to make before giving up", and as the same word means in other
#   libraries. Zero attempts are none, or an error.
# Instead: it counts what follows the first call: 3 makes four calls, 1 makes two, and 0 makes one. The number in the handler's
#   context (`attempt`) begins with 0, so that it reaches 3.
# Versions: cockatiel 3.2.1, @lifeomic/attempt 3.1.0, exponential-backoff 3.1.3 (all newest). Date: 2026-11-29.
# Hurts: calls that cost money or have a limit: "at most one attempt" of an action that must not be repeated makes two.
# In our code: no such library; packages/subscriptions plans each attempt.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts cockatiel@3.2.1 @lifeomic/attempt@3.1.0 exponential-backoff@3.1.3
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { retry as attempt } from '@lifeomic/attempt';
import { ConstantBackoff, handleAll, retry } from 'cockatiel';
import { backOff } from 'exponential-backoff';

/** How often a policy calls what always fails, and which numbers it hands to it. */
async function callsOf(run) {
  const numbers = [];
  const fails = async (context) => {
    numbers.push(context?.attempt);
    throw new Error('fails');
  };
  await assert.rejects(run(fails), { message: 'fails' });
  return numbers;
}
const cockatiel = (maxAttempts) =>
  callsOf((fails) => retry(handleAll, { maxAttempts, backoff: new ConstantBackoff(1) }).execute(fails));

assert.match(readFileSync('node_modules/cockatiel/readme.md', 'utf8'), /`maxAttempts`: the number of attempts to make before giving up/);
const seen = {
  'cockatiel, maxAttempts: 3': await cockatiel(3),
  'cockatiel, maxAttempts: 1': await cockatiel(1),
  'cockatiel, maxAttempts: 0': await cockatiel(0),
  'attempt, maxAttempts: 3': await callsOf((fails) => attempt(() => fails(), { maxAttempts: 3, delay: 1 })),
  'exponential-backoff, numOfAttempts: 3': await callsOf((fails) => backOff(() => fails(), { numOfAttempts: 3, startingDelay: 1 })),
};
for (const [name, numbers] of Object.entries(seen)) console.log(`${name}: ${numbers.length} calls`, numbers);
assert.deepEqual(Object.values(seen).map(({ length }) => length), [4, 2, 1, 3, 3]);
assert.deepEqual(seen['cockatiel, maxAttempts: 3'], [0, 1, 2, 3]);
EOF
node look.mjs
