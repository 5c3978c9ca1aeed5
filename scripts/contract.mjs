// npm run contract: writes integrations/contract, the types of the SDK and the tables of docs/metrics.md from the code; --check only
// compares.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contractFiles } from '@sluice/api/contract/contract-files';
import { metricsPage } from '@sluice/runtime/telemetry/metrics-page';
import { generateTypes } from '../packages/sdk/generate-types.mjs';
import { ROOT, say } from './lib/run.mjs';

const files = contractFiles();
const types = await generateTypes(JSON.parse(files['integrations/contract/openapi.json']));
const page = metricsPage(readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8'));
const all = { ...files, 'packages/sdk/src/generated/api.ts': types, 'docs/metrics.md': page };
const stale = Object.entries(all).filter(([path, text]) => {
  const file = join(ROOT, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
if (process.argv.includes('--check')) {
  say(
    stale.length === 0
      ? 'The contract is up to date'
      : `Out of date, run npm run contract: ${stale.map(([path]) => path).join(', ')}`,
  );
  process.exit(stale.length === 0 ? 0 : 1);
}
for (const [path, text] of stale) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), text);
  say(`${path} written`);
}
