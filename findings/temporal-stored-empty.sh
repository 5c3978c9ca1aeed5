#!/usr/bin/env bash
# A Temporal value is stored as an empty document or as NULL, and leaves a query without its filter. Nothing throws.
#
# Expected: a library that knows Date and not Temporal throws, or uses the text that toJSON() and toString() give, as JSON.stringify,
#   URLSearchParams and FormData do.
# Instead: bson, and so MongoDB's driver, stores `{}`. node:sqlite takes the value for named parameters and stores NULL, also for a
#   Date. qs drops the parameter, and openapi-fetch drops that of a Date too: the response is the whole list.
# Versions: Node 26.10.0, bson 7.3.4, qs 6.17.1, openapi-fetch 0.17.0 (all newest). Date: 2026-11-28.
# Hurts: code that moves from Date to Temporal: inserts and queries succeed, and the time is lost.
# In our code: packages/sdk/src/query.ts makes texts of such filters. packages/store/src gets no Temporal values.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
platform=$(node -p 'process.platform + "-" + process.arch')
npm install --silent --no-audit --no-fund --ignore-scripts "node-$platform@26.10.0" bson@7.3.4 \
  qs@6.17.1 openapi-fetch@0.17.0
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'bson';
import { createQuerySerializer } from 'openapi-fetch';
import qs from 'qs';

const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE events (start)');
function inSqlite(start) {
  database.prepare('INSERT INTO events VALUES (?)').run(start);
  return database.prepare('SELECT start FROM events ORDER BY rowid DESC LIMIT 1').get().start;
}
const WAYS = {
  'JSON.stringify': (start) => JSON.stringify({ start }),
  URLSearchParams: (start) => String(new URLSearchParams({ start })),
  bson: (start) => JSON.stringify(deserialize(serialize({ start }))),
  'node:sqlite': inSqlite,
  qs: (start) => qs.stringify({ start, page: 2 }),
  'openapi-fetch': (start) => createQuerySerializer()({ start, page: 2 }),
};
const seen = {};
for (const [way, write] of Object.entries(WAYS))
  seen[way] = {
    instant: write(Temporal.Instant.from('2027-05-01T10:00Z')),
    day: write(Temporal.PlainDate.from('2027-05-01')),
    Date: write(new Date('2027-05-01T10:00Z')),
  };
console.log(process.version);
console.table(seen);
const written = Object.values(seen).map(({ instant, day }) => [instant, day]);
assert.deepEqual(written.slice(0, 2), [
  ['{"start":"2027-05-01T10:00:00Z"}', '{"start":"2027-05-01"}'],
  ['start=2027-05-01T10%3A00%3A00Z', 'start=2027-05-01'],
]);
const lost = ['{"start":{}}', null, 'page=2', '&page=2'];
assert.deepEqual(written.slice(2), lost.map((one) => [one, one]));
assert.deepEqual([seen['node:sqlite'].Date, seen['openapi-fetch'].Date], [null, '&page=2']);
EOF
"node_modules/node-$platform/bin/node" look.mjs
