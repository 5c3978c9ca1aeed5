#!/usr/bin/env bash
# zod's partial() fills a missing field with its default.
#
# Expected: the schema of a change, made with `.partial()` of the record's, leaves a field out that the change does not have. So did
#   zod 3.
# Instead: zod 4 returns the default of each missing field. `{}` becomes `{ tags: [], stage: "new" }`.
# Versions: zod 4.6.7 (the newest); 3.25.76 is as expected. Date: 2026-11-28.
# Hurts: a PATCH that changes a title empties the tags and puts the record back to its first stage.
# In our code: leadWritten in packages/contract/src/lead.ts is a partial() of fields without defaults.
# Usage: findings/zod-partial-defaults.sh [version of zod]
set -euo pipefail
version=${1:-4.6.7}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "zod@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import * as v3 from 'zod/v3';
import * as v4 from 'zod/v4';

const seen = [v3, v4].map(({ z }) => {
  const record = z.object({ title: z.string(), tags: z.array(z.string()).default([]), stage: z.string().default('new') });
  return record.partial().parse({ title: 'Open day' });
});
console.log('a change of the title with zod 3:', seen[0]);
console.log(`a change of the title with zod ${process.argv[2]}:`, seen[1]);
assert.deepEqual(seen[0], { title: 'Open day' });
assert.deepEqual(seen[1], { title: 'Open day', tags: [], stage: 'new' }, 'partial() is as in zod 3');
EOF
node look.mjs "$version"
