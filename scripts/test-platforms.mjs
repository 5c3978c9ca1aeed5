// npm run test:platforms: runs the integrations in the real platforms. Installs the platforms once for each lock file and
// keeps them in SLUICE_PLATFORMS_DIR (default: ~/.cache/sluice-platforms). The last line is `N passed, N failed`.
import { bootstrap } from './bootstrap.mjs';
import { runMocha } from './lib/mocha.mjs';
import { say, seconds } from './lib/run.mjs';

const PLATFORMS = { n8n: 'test/platforms/n8n-*.test.ts' };

await bootstrap();
let passed = 0;
let failed = 0;
for (const [name, files] of Object.entries(PLATFORMS)) {
  const began = Date.now();
  const result = await runMocha(name, [files]);
  say(`${name}: ${seconds(began)}`);
  passed += result.passed;
  failed += result.failed;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
