#!/usr/bin/env bash
# prom-client names a series without a label by the call that came first: without the label, or with the value "undefined".
#
# Expected: a label that is left out and one that is `undefined` are the same series, without the label.
# Instead: they are one series. Its name is that of the first call since the start: `{method="GET"}` or
#   `{method="GET",status="undefined"}`. A restart can rename it. `null` is a series of its own, "null".
#   `linearBuckets(0, 0.1, 4)` has the bound 0.30000000000000004, so `le="0.3"` matches no bucket.
# Version: prom-client 15.1.3 (the newest). Date: 2026-11-28.
# Hurts: alerts and dashboards that name the label: after a deploy that calls in another order they have no samples.
# In our code: services/ingress/src/observe/observer.ts binds all labels once. Buckets are listed, not computed.
# Usage: findings/prom-client-missing-label.sh [version of prom-client]
set -euo pipefail
version=${1:-15.1.3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "prom-client@$version"
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { Counter, linearBuckets, Registry } = require('prom-client');

async function exported(...calls) {
  const registry = new Registry();
  const labelNames = ['method', 'status'];
  const requests = new Counter({ name: 'http_requests_total', help: 'Requests.', labelNames, registers: [registry] });
  for (const labels of calls) requests.inc(labels);
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('http'));
}

async function look() {
  const [left, given] = [{ method: 'GET' }, { method: 'GET', status: undefined }];
  const seen = [await exported(left, given), await exported(given, left), await exported({ method: 'GET', status: null })];
  console.log(seen);
  assert.deepEqual(seen, [
    ['http_requests_total{method="GET"} 2'],
    ['http_requests_total{method="GET",status="undefined"} 2'],
    ['http_requests_total{method="GET",status="null"} 1'],
  ]);
  const buckets = linearBuckets(0, 0.1, 4);
  console.log('linearBuckets(0, 0.1, 4):', buckets);
  assert.equal(buckets[3], 0.30000000000000004);
}
look();
EOF
node look.cjs
