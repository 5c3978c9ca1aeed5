// npm run test:platforms: runs the integrations in the real platforms. Installs the platforms once for each lock file and
// keeps them in SLUICE_PLATFORMS_DIR (default: ~/.cache/sluice-platforms). The last line is `N passed, N failed`.
// npm run test:platforms -- zapier: only that platform.
import { bootstrap, checkTypes } from './bootstrap.mjs';
import { runMocha } from './lib/mocha.mjs';
import { deliver, exitIfStopped, sum } from './lib/results.mjs';
import { say, seconds } from './lib/run.mjs';

const PLATFORMS = {
  n8n: ['test/platforms/n8n-*.test.ts'],
  zapier: ['test/integrations/zapier-*.test.ts', 'test/platforms/zapier-*.test.ts'],
  'node-red': ['test/integrations/node-red-*.test.ts', 'test/platforms/node-red-*.test.ts'],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PLATFORMS));
if (unknown.length > 0) {
  console.error(
    `Unknown platform: ${unknown.join(', ')}. Name some of: ${Object.keys(PLATFORMS).join(', ')}.`,
  );
  process.exit(2);
}
await bootstrap();
await checkTypes();
const results = [];
for (const [name, files] of Object.entries(PLATFORMS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const began = Date.now();
  const result = await runMocha(name, files);
  say(`${name}: ${seconds(began)}`);
  exitIfStopped(result);
  results.push(result);
}
const total = sum(results);
await deliver(total);
process.exit(total.failed === 0 ? 0 : 1);
