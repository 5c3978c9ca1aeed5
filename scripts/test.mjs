// npm test: installs, bundles, checks types, runs the tests; the last line is `N passed, N failed`.
// npm test -- --ci runs more tests, and --nightly all, in larger sizes and on a second database engine: scripts/lib/sets.mjs.
// mocha gets any other argument: npm test -- --grep "rate limit", npm test -- test/worker/fold.test.ts.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { bootstrap, checkTypes } from './bootstrap.mjs';
import { startDocumentDb } from './lib/documentdb.mjs';
import { runMocha } from './lib/mocha.mjs';
import { deliver, exitIfStopped, resultOf, sum } from './lib/results.mjs';
import { say, seconds } from './lib/run.mjs';
import { ENGINE_TESTS, READER_TESTS, testsOf } from './lib/sets.mjs';

const since = Date.now();
const ci = process.argv.includes('--ci');
const nightly = process.argv.includes('--nightly');
const given = process.argv.slice(2).filter((arg) => arg !== '--ci' && arg !== '--nightly');
const files = given.filter((arg) => /^(\.\/)?test\//.test(arg));
if (nightly) process.env.FAULTS ??= 'middle';
process.env.SEED ||= String(randomInt(1, 2 ** 31));

await bootstrap();
await checkTypes();
const results = [];
if (files.length > 0) await run('mocha', given, { parallel: files.length > 1 || !existsSync(files[0]) });
else if (given.length > 0) await run('mocha', [...given, ...testsOf({ ci, nightly })], { parallel: true });
else await runAll();
const total = sum(results);
say(`SEED=${process.env.SEED}, ${seconds(since)}`);
await deliver(total);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

async function run(name, args, { env, parallel }) {
  await add(runMocha(name, args, { env: { ...process.env, ...env }, parallel }));
}

async function add(running) {
  const result = await running;
  exitIfStopped(result);
  results.push(result);
}

async function runAll() {
  // It mostly downloads.
  const starting = nightly && !process.env.MONGO_URL ? startDocumentDb() : undefined;
  await run('mocha', testsOf({ ci, nightly }), { parallel: true });
  const env = { INGRESS_HTTP_READER: 'node' };
  if (ci || nightly) await run('the ingress, read by Node', READER_TESTS, { env, parallel: true });
  const engine = await starting;
  if (engine !== undefined)
    await run('on DocumentDB', ENGINE_TESTS, { env: { MONGO_URL: engine.url }, parallel: true });
  if (!nightly) return;
  await add(resultOf('test:compose', ['scripts/test-compose.mjs', '--if-possible']));
  await add(resultOf('test:platforms', ['scripts/test-platforms.mjs']));
}
