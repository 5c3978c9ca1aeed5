// npm run env-example: writes .env.example from the catalog of variables; --check only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envExample } from '@sluice/runtime/config/env-example';
import { ROOT, say } from './lib/run.mjs';

const path = join(ROOT, '.env.example');

const wanted = envExample();
if (process.argv.includes('--check')) {
  const same = readFileSync(path, 'utf8') === wanted;
  say(same ? '.env.example is up to date' : '.env.example is out of date: npm run env-example');
  process.exit(same ? 0 : 1);
}
writeFileSync(path, wanted);
say('.env.example written');
