#!/usr/bin/env bash
# `import { z } from 'zod'` bundles 63 languages; `import * as z from 'zod'` bundles one.
#
# Expected: the two usual ways to import zod give the same bundle.
# Instead: the exported object `z` has all that zod exports, including its error messages in every language. esbuild
#   cannot leave out parts of it: 454 KB instead of 90, minified, for a schema of two fields.
# Versions: zod 4.6.7 and esbuild 0.28.2 (the newest). Date: 2026-11-27.
# Hurts: web pages and start-up times; the documentation's examples use both forms.
# In our code: every import of zod is `import * as z`, for the size of the bundles (bench/speed-tried.md).
# Usage: findings/zod-named-import.sh [version of zod]
set -euo pipefail
version=${1:-4.6.7}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "zod@$version" esbuild@0.28.2

cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { build } from 'esbuild';

const SCHEMA = 'console.log(z.object({ name: z.string(), n: z.number() }).safeParse({}).success);';
async function bundled(form) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `${form}\n${SCHEMA}`, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    metafile: true,
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const languages = used.filter(([path]) => /locales\/(?!index)/.test(path)).length;
  const kilobytes = Math.round(outputFiles[0].contents.length / 1000);
  console.log(`${form} ${kilobytes} KB, languages: ${languages}`);
  return { kilobytes, languages };
}

console.log(`zod ${process.argv[2]}`);
const named = await bundled("import { z } from 'zod';");
const namespace = await bundled("import * as z from 'zod';");
assert.ok(named.languages > 40 && namespace.languages === 1);
assert.ok(named.kilobytes > 3 * namespace.kilobytes);
EOF
node look.mjs "$version"
