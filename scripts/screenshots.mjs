// node scripts/screenshots.mjs [FOLDER [ONLY]]: starts everything with some data, and takes a picture of each page of the
// dashboard in both themes and two widths. ONLY limits it to pages with a matching name. FOLDER defaults to
// data/screenshots. The README's picture, docs/figures/why-refused.png, is its source-delivery-refused-1440-light.png.
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { ROOT, run, say } from './lib/run.mjs';

const folder = process.argv[2] ?? join(ROOT, 'data', 'screenshots');
if (folder.startsWith('-')) {
  say(`there is no option ${folder}: node scripts/screenshots.mjs [FOLDER [ONLY]]`);
  process.exit(2);
}

await bootstrap();
const script = join(ROOT, 'test', 'browser', 'support', 'screenshots.ts');
const code = await run(process.execPath, [
  '--import',
  'tsx',
  '--conditions',
  'source',
  script,
  folder,
  ...process.argv.slice(3),
]);
say(code === 0 ? `screenshots are in ${folder}` : `screenshots failed with exit code ${code}`);
process.exit(code);
