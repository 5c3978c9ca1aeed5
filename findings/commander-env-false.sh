#!/usr/bin/env bash
# commander takes a variable that is "false", "0" or empty for a flag that is set.
#
# Expected: `new Option('--dry-run').env('DRY_RUN')` is off with DRY_RUN=false, and with DRY_RUN empty.
# Instead: the flag is on whenever the variable exists. An option with a value takes an empty variable as the value, over its default.
# Version: commander 14.0.3 and 15.1.0 (the newest). Date: 2026-11-28.
# Hurts: compose files and Helm charts that pass `DRY_RUN: ${DRY_RUN:-}` or "false" to a command.
# In our code: services/cli uses no `.env()`. Variables are read in packages/runtime/src/config.
# Usage: findings/commander-env-false.sh [version of commander]
set -euo pipefail
version=${1:-14.0.3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts "commander@$version"
cat >look.mjs <<'EOF'
import assert from 'node:assert/strict';
import { Command, Option } from 'commander';

for (const value of ['false', '0', '']) {
  process.env.FINDINGS_VALUE = value;
  const command = new Command()
    .addOption(new Option('--dry-run').env('FINDINGS_VALUE'))
    .addOption(new Option('--region <name>').env('FINDINGS_VALUE').default('eu'));
  const { dryRun, region } = command.parse([], { from: 'user' }).opts();
  console.log(`FINDINGS_VALUE="${value}":`, { dryRun, region });
  assert.equal(dryRun, true, 'the flag is off');
  assert.equal(region, value);
}
EOF
node look.mjs
