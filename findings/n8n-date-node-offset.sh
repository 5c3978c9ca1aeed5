#!/usr/bin/env bash
# n8n's Date & Time node shows a time with +02:00 as it is, one with -04:00 in UTC, and one with +05:30 half an hour off.
#
# Expected: "Format a Date" shows each of these in one zone, that of the workflow or UTC, or each as it is written.
# Instead: of a text it reads what follows a plus, and of that the hours only. 22:00+02:00 is shown as 22:00, 22:00+05:30 as 21:30, and
#   22:00-04:00 as 02:00 of the next day. The option "Use Workflow Timezone" makes all three right. "Round a Date" up to the day, of a
#   midnight, is the next midnight.
# Version: n8n-nodes-base 2.41.0. The newest, 2.41.2, could not be installed. Date: 2026-11-29.
# Hurts: workflows that write times of calendars and shops into messages: right where they were tested, in Europe, and wrong in India
#   and in America.
# In our code: nothing; times of the API are in UTC (docs/integrations.md).
# Usage: findings/n8n-date-node-offset.sh [version of n8n-nodes-base]
set -euo pipefail
version=${1:-2.41.0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps "n8n-nodes-base@$version" 2>/dev/null
cat >look.cjs <<'EOF'
const assert = require('node:assert/strict');
const { DateTimeV2 } = require('n8n-nodes-base/dist/nodes/DateTime/V2/DateTimeV2.node.js');

/** What the node writes, in a workflow in New York. */
async function written(parameters) {
  const context = {
    getInputData: () => [{ json: {} }],
    getNodeParameter: (name, _index, fallback) => ({ outputFieldName: 'date', options: {}, ...parameters })[name] ?? fallback,
    getTimezone: () => 'America/New_York',
    getNode: () => ({ name: 'Date & Time', typeVersion: 2 }),
    continueOnFail: () => false,
  };
  const [[item]] = await new DateTimeV2({ displayName: '', name: '', group: [], description: '' }).execute.call(context);
  return item.json.date;
}
const formatted = (date, options) =>
  written({ operation: 'formatDate', date, format: 'custom', customFormat: 'dd HH:mm', options });

(async () => {
  const CASES = {
    '2027-05-01T22:00:00+02:00': ['01 22:00', '01 16:00'],
    '2027-05-01T22:00:00+05:30': ['01 21:30', '01 12:30'],
    '2027-05-01T22:00:00-04:00': ['02 02:00', '01 22:00'],
    '2027-05-01T22:00:00Z': ['01 22:00', '01 18:00'],
  };
  const seen = {};
  for (const date of Object.keys(CASES))
    seen[date] = { shown: await formatted(date, {}), 'use workflow timezone': await formatted(date, { timezone: true }) };
  console.table(seen);
  for (const [date, expected] of Object.entries(CASES)) assert.deepEqual(Object.values(seen[date]), expected);

  const midnight = '2027-05-01T00:00:00.000-04:00';
  const up = await written({ operation: 'roundDate', date: midnight, mode: 'roundUp', to: 'day' });
  console.log(midnight, 'rounded up to the day:', up);
  assert.equal(up, '2027-05-02T00:00:00.000-04:00');
})();
EOF
TZ=UTC node look.cjs
