#!/usr/bin/env bash
# A trigger node of n8n cannot tell its test URL from its production URL while it receives.
#
# Expected: getNodeWebhookUrl() returns the same URL where a trigger subscribes (create) and where it receives (webhook).
# Instead: in a test of the editor, create() gets /webhook-test/..., and webhook() gets /webhook/...
# Version: n8n-core 2.41.1. Date: 2026-11-27.
# Hurts: triggers that keep a secret by URL: they verify a test with the secret of production, and reject it.
# In our code: integrations/n8n-nodes-sluice/nodes/SluiceTrigger/subscription.ts keeps its notes by getMode().
# Usage: findings/n8n-test-webhook-url.sh [version of n8n-core]
set -euo pipefail
version=${1:-2.41.1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export N8N_USER_FOLDER="$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "n8n-core@$version"

cat >look.cjs <<'END'
const assert = require('node:assert/strict');
const { HookContext, WebhookContext } = require('n8n-core');
const { Workflow } = require('n8n-workflow');

const description = { properties: [], webhooks: [{ name: 'default', httpMethod: 'POST', path: 'webhook' }] };
const nodeTypes = { getByNameAndVersion: () => ({ description }) };
const node = { id: '1', name: 'Trigger', type: 't', typeVersion: 1, position: [0, 0], parameters: {}, webhookId: 'id' };
const workflow = new Workflow({ id: '1', nodes: [node], connections: {}, active: false, nodeTypes });
const urls = { webhookBaseUrl: 'http://n8n/webhook', webhookTestBaseUrl: 'http://n8n/webhook-test' };
const ofTest = { isTest: true, webhookDescription: description.webhooks[0] };
const hook = new HookContext(workflow, node, urls, 'manual', 'manual', ofTest);
const webhook = new WebhookContext(workflow, node, urls, 'manual', ofTest, [], null);
const seen = {
  'in create()': hook.getNodeWebhookUrl('default'),
  'in webhook()': webhook.getNodeWebhookUrl('default'),
};
console.log(seen);
assert.deepEqual(seen, {
  'in create()': 'http://n8n/webhook-test/id/webhook',
  'in webhook()': 'http://n8n/webhook/id/webhook',
});
END
node look.cjs 2>/dev/null
