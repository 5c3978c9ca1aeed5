// npm run contract: writes integrations/contract from the code, and copies it into the integrations; --check only compares.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contractFiles } from '@sluice/api/contract/contract-files';
import { ROOT, say } from './lib/run.mjs';

const stale = Object.entries(contractFiles()).filter(([path, text]) => {
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
