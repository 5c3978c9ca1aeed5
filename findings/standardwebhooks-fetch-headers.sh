#!/usr/bin/env bash
# standardwebhooks finds no headers in a Headers object of fetch, and rejects a body of plain bytes.
#
# Expected: `verify(await request.text(), request.headers)` works where requests are those of fetch (Next.js, Hono, Workers, Deno), and
#   a Uint8Array is as good a body as a Buffer.
# Instead: "Missing required headers", because the entries of a Headers object are not its keys. A Uint8Array is "Expected payload to
#   be of type string or Buffer", which is no WebhookVerificationError. svix does the same.
# Versions: standardwebhooks 1.1.1, svix 2.5.0 (both newest). Date: 2026-11-28.
# Hurts: receivers in such a framework: every delivery fails with 401 or 500, and is tried again for days.
# In our code: packages/sdk/src/verify-webhook.ts accepts both. docs/webhook-subscriptions.md tells what to pass.
# Usage: findings/standardwebhooks-fetch-headers.sh [version of standardwebhooks]
set -euo pipefail
version=${1:-1.1.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "standardwebhooks@$version" svix@2.5.0
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import * as standard from 'standardwebhooks';
import * as svix from 'svix';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = '{"type":"lead.created"}';
const now = new Date();
const seconds = Math.floor(now.getTime() / 1000);

for (const [name, { Webhook, WebhookVerificationError }] of Object.entries({ standardwebhooks: standard, svix })) {
  const webhook = new Webhook(secret);
  const signature = webhook.sign('msg_1', now, body);
  const plain = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
  const outcome = (text, headers) => {
    try {
      webhook.verify(text, headers);
      return 'verified';
    } catch (error) {
      return `${error instanceof WebhookVerificationError ? 'not verified' : 'fails'}: ${error.message}`;
    }
  };
  const seen = {
    'a plain object': outcome(body, plain),
    'Headers of fetch': outcome(body, new Headers(plain)),
    'their entries': outcome(body, Object.fromEntries(new Headers(plain))),
    'a Buffer': outcome(Buffer.from(body), plain),
    'a Uint8Array': outcome(new TextEncoder().encode(body), plain),
  };
  console.log(name, seen);
  assert.deepEqual(Object.values(seen), [
    'verified',
    'not verified: Missing required headers',
    'verified',
    'verified',
    'fails: Expected payload to be of type string or Buffer.',
  ]);
}
EOF
node look.mjs
