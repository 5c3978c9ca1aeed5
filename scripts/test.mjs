// npm test: install, compile, run every test; the last line is `N passed, N failed`.
// What follows `--` goes to mocha: npm test -- --grep "rate limit". `--no-documentdb` leaves out the second engine.
import { bootstrap } from './bootstrap.mjs';
import { startDocumentDb } from './lib/documentdb.mjs';
import { runMocha } from './lib/mocha.mjs';
import { say } from './lib/run.mjs';

/** The tests that depend on the database engine: they run once more on a second one where it is at hand. */
const ENGINE_TESTS = ['test/store/**/*.test.ts', 'test/pipeline/**/*.test.ts'];
const NO_DOCUMENTDB = '--no-documentdb';

const mochaArgs = process.argv.slice(2).filter((arg) => arg !== NO_DOCUMENTDB);
const withDocumentDb = !process.argv.includes(NO_DOCUMENTDB) && !process.env.MONGO_URL;

await bootstrap();
await provideRedis();
const results = [await runMocha(mochaArgs)];
if (withDocumentDb) results.push(...(await secondEngine()));
finish(results);

/** The tests use a real Redis; it is installed where that can be done. */
async function provideRedis() {
  if (process.env.REDIS_URL) return;
  const { provideRedisBinary } = await import('../services/launcher/dist/redis-binary.js');
  const found = await provideRedisBinary({ say });
  if (found.ok) return;
  say(found.detail);
  finish([{ passed: 0, failed: 1 }]);
}

async function secondEngine() {
  const engine = await startDocumentDb();
  if (engine === undefined) return [];
  say(`once more on DocumentDB: ${ENGINE_TESTS.join(' ')}`);
  try {
    return [
      await runMocha(mochaArgs, { env: { ...process.env, MONGO_URL: engine.url }, specs: ENGINE_TESTS }),
    ];
  } finally {
    await engine.stop();
  }
}

function finish(counted) {
  const passed = counted.reduce((sum, result) => sum + result.passed, 0);
  const failed = counted.reduce((sum, result) => sum + result.failed, 0);
  if (passed + failed === 0) say('no test ran');
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
