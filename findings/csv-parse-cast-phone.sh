#!/usr/bin/env bash
# csv-parse with `cast` reads a phone number as a number, and its plus is gone.
#
# Expected: `cast: true` makes a number of what is one, and leaves other texts alone, as papaparse's dynamicTyping does.
# Instead: `+493012345` is 493012345, `0x1F` is 0, and a number of 20 digits is rounded. papaparse keeps all three as texts. Both
#   make 123 of `00123`. With `cast_date` too, the text `1,5` is a day of January 2001.
# Versions: csv-parse 7.0.3, papaparse 5.7.1 (both newest). Date: 2026-11-28.
# Hurts: imports of contacts: a phone number is national from then on, an order id is another one.
# In our code: packages/importing keeps every cell as text until the parser of its field reads it.
# Usage: findings/csv-parse-cast-phone.sh [version of csv-parse]
set -euo pipefail
version=${1:-7.0.3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "csv-parse@$version" papaparse@5.7.1
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import Papa from 'papaparse';

const cells = ['+493012345', '0x1F', '12345678901234567890', '00123', '1.10', 'abc'];
const csv = `${cells.join(';')}\n`;
const [strict] = parse(csv, { delimiter: ';', cast: true });
const [typed] = Papa.parse(csv, { delimiter: ';', dynamicTyping: true }).data;
console.table(cells.map((cell, n) => ({ cell, 'csv-parse': strict[n], papaparse: typed[n] })));
assert.deepEqual(strict, [493012345, 0, 12345678901234567000, 123, 1.1, 'abc']);
assert.deepEqual(typed, ['+493012345', '0x1F', '12345678901234567890', 123, 1.1, 'abc']);

const [[comma]] = parse('"1,5"\n', { cast: true, cast_date: true });
console.log('"1,5" with cast_date:', comma);
assert.ok(comma instanceof Date && comma.getFullYear() === 2001, 'the text is not a day');
EOF
node look.mjs
