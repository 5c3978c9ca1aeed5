#!/usr/bin/env bash
# n8n reads a day such as 05/01/2027 in the zone of the server, and shows an instant in the zone of its text.
#
# Expected: `toDateTime()` returns a time in the zone of the workflow, as `DateTime.fromISO()` does, and a day is this day.
# Instead: a day that is not ISO 8601 is midnight on the clocks of the server. A workflow of New York on a server in UTC shows
#   April 30 for May 1. An instant with `Z` stays in UTC: the two functions show the same text four hours apart.
# Version: n8n-workflow 2.41.0 (the newest). Date: 2026-11-28.
# Hurts: workflows that write dates of spreadsheets or webhooks into a calendar: the day before, or another hour.
# In our code: docs/integrations.md names the function that shows the times of messages in the zone of a workflow.
# Usage: findings/n8n-to-datetime-zone.sh [version of n8n-workflow]
set -euo pipefail
version=${1:-2.41.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "n8n-workflow@$version"
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { Workflow } = require('n8n-workflow');

const description = { properties: [] };
const nodeTypes = { getByNameAndVersion: () => ({ description }), getByName: () => ({ description }), getKnownTypes: () => ({}) };
const node = { id: 'n', name: 'n', type: 'test', typeVersion: 1, position: [0, 0], parameters: {} };
const settings = { timezone: 'America/New_York' };
const workflow = new Workflow({ id: '1', nodes: [node], connections: {}, active: false, nodeTypes, settings });

/** What the editor shows for an expression. */
const shown = (expression) => workflow.expression.getParameterValue(`={{ ${expression} }}`, null, 0, 0, 'n', [], 'manual', {});
const FORMAT = ".format('yyyy-MM-dd HH:mm')";
const texts = {
  iso: `'2027-05-01'.toDateTime()${FORMAT}`,
  american: `'05/01/2027'.toDateTime()${FORMAT}`,
  words: `'May 1, 2027'.toDateTime()${FORMAT}`,
  'toDateTime of an instant': `'2027-05-01T22:30:00Z'.toDateTime()${FORMAT}`,
  'fromISO of an instant': `DateTime.fromISO('2027-05-01T22:30:00Z')${FORMAT}`,
  'milliseconds of the instant': `(${Date.parse('2027-05-01T22:30:00Z')}).toDateTime()${FORMAT}`,
};
const seen = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, shown(text)]));
console.log('A workflow of America/New_York on a server in UTC:');
console.table(seen);
assert.equal(seen.iso, '2027-05-01 00:00');
assert.equal(seen.american, '2027-04-30 20:00');
assert.equal(seen.words, '2027-04-30 20:00');
assert.equal(seen['toDateTime of an instant'], '2027-05-01 22:30');
assert.equal(seen['fromISO of an instant'], '2027-05-01 18:30');
assert.equal(seen['milliseconds of the instant'], '2027-05-01 18:30');
EOF
TZ=UTC node look.cjs
