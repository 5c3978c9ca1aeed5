#!/usr/bin/env bash
# A Date that is stored in a `timestamp` column of PGlite comes back as another instant, unless the machine is in UTC.
#
# Expected: what is written is read back, as with pg: it writes and reads such a column in the zone of the machine. A `date` is read
#   like a `timestamp`.
# Instead: PGlite writes the time in UTC and reads it in the zone of the machine. In New York 22:00Z comes back as 02:00Z of the next
#   day, and a query for the row by the value that was read finds nothing. A `date` is read as midnight in UTC.
# Versions: @electric-sql/pglite 0.5.17 and pg 8.23.1 (both newest). Date: 2026-11-28.
# Hurts: programs that are tested with PGlite: right on a build machine in UTC, hours off on a laptop.
# In our code: no PostgreSQL; packages/contract keeps instants as milliseconds.
# Usage: findings/pglite-timestamp.sh [version of @electric-sql/pglite]
set -euo pipefail
version=${1:-0.5.17}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "@electric-sql/pglite@$version" pg@8.23.1
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

const off = process.env.TZ === 'UTC' ? 0 : 4 * 3_600_000;
const written = new Date('2027-05-01T22:00:00Z');
const db = new PGlite();
await db.query('CREATE TABLE lead (at timestamp, seen timestamptz)');
await db.query('INSERT INTO lead VALUES ($1, $2)', [written, written]);
const [{ at, seen, text }] = (await db.query('SELECT *, at::text AS text FROM lead')).rows;
const found = (await db.query('SELECT 1 FROM lead WHERE at = $1', [at])).rows.length;
const [{ day }] = (await db.query("SELECT date '2027-05-01' AS day")).rows;
console.log(process.env.TZ, 'PGlite:', { written, text, at, 'found by it': found, seen, day });
assert.equal(at - written, off);
assert.equal(seen - written, 0);
assert.equal(found, off ? 0 : 1);
assert.equal(day.toISOString(), '2027-05-01T00:00:00.000Z');

// A `timestamp` ignores the offset of the text that pg sends.
const sent = prepareValue(written).replace(/[+-]\d\d:\d\d$/, '').replace('T', ' ');
const read = pg.types.getTypeParser(1114)(sent);
console.log(process.env.TZ, 'pg:    ', { written, text: sent, at: read });
assert.equal(read - written, 0);
EOF
TZ=America/New_York node look.mjs
TZ=UTC node look.mjs
