// npm test: install, bundle, check types, run every test; the last line is `N passed, N failed`.
// `--all` adds the tests that `npm test` omits, uses larger sizes, and runs the tests of the database on a second engine
// if one is available (`--no-documentdb` omits that). mocha gets any other argument after `--` and then runs alone:
// npm test -- --grep "rate limit".
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { bootstrap, checkTypes } from './bootstrap.mjs';
import { startDocumentDb } from './lib/documentdb.mjs';
import { runMocha } from './lib/mocha.mjs';
import { whyNoRedis } from './lib/provide-redis.mjs';
import { ROOT, run, say, seconds } from './lib/run.mjs';
import { secondTry } from './lib/second-try.mjs';
import {
  ALL_SECTIONS,
  ALL_TESTS,
  ENGINE_TESTS,
  SECTIONS,
  WAITING_SECTION,
  WITHOUT_OTHER_COMMANDS,
} from './lib/sections.mjs';
import { sideBySide } from './lib/side-by-side.mjs';
import { cpuOf, inCpu, slowestFiles } from './lib/slowest-files.mjs';

const ALL = '--all';
const NO_DOCUMENTDB = '--no-documentdb';
/** A section is one mocha with the processes that its tests start. Together they use one core. */
const CORES = Math.max(2, availableParallelism());
/** More than four sections would wait for the disk, because each Redis writes with an fsync. */
const MOST_AT_A_TIME = 4;
/** The tests on the second engine start after these sections. Its own start takes two minutes the first time. */
const SECTIONS_BEFORE_DOCUMENTDB = 5;

const given = process.argv.slice(2).filter((arg) => ![ALL, NO_DOCUMENTDB].includes(arg));
const all = process.argv.includes(ALL);
// Tests wait for locks to expire, which is much of their time. One more section uses that time.
const atATime = Math.min(MOST_AT_A_TIME, CORES + 1);
const withDocumentDb = all && !process.argv.includes(NO_DOCUMENTDB) && !process.env.MONGO_URL;
// test/support/size.ts sets how often and how long each test runs.
if (all) process.env.FAULTS ??= 'middle';

await bootstrap();
await checkTypes();
await provideRedis();
finish(given.length > 0 ? { results: [await runSome()] } : await secondTry(await runAll(), runFile));

/** Given files or patterns replace all tests. */
function runSome() {
  const chosen = given.some((arg) => /^(\.\/)?test\//.test(arg));
  return runMocha('mocha', chosen ? given : [...given, ...WITHOUT_OTHER_COMMANDS, ALL_TESTS]);
}

async function runAll() {
  await provideChromium();
  const job =
    ({ name, args, env }) =>
    () =>
      runSection(name, args, { ...process.env, ...env });
  const jobs = (all ? ALL_SECTIONS : SECTIONS).map(job);
  // It mostly downloads, so it starts beside the sections.
  const engine = withDocumentDb ? startDocumentDb() : undefined;
  if (engine !== undefined) jobs.splice(SECTIONS_BEFORE_DOCUMENTDB, 0, () => runOnDocumentDb(engine));
  const waiting = all ? [job(WAITING_SECTION)] : [];
  try {
    const results = await Promise.all([sideBySide(jobs, atATime), sideBySide(waiting, 1)]);
    return results.flat();
  } finally {
    await (await engine)?.stop();
  }
}

/** Files of test/ingress run with both readers, because a failure does not name its reader. */
async function runFile(file) {
  say(`second try, alone: ${file}`);
  const result = await runMocha(file, [file]);
  if (result.failed > 0 || !file.startsWith('test/ingress/')) return result;
  return runMocha(file, [file], { env: { ...process.env, INGRESS_HTTP_READER: 'node' } });
}

async function runSection(name, args, env = process.env) {
  const since = Date.now();
  const result = await runMocha(name, args, { env, alone: false });
  const time = `${seconds(since)}${inCpu(cpuOf(result.took))}`;
  say(`${name}: ${result.passed} passed, ${result.failed} failed in ${time}`);
  return result;
}

async function runOnDocumentDb(starting) {
  const engine = await starting;
  if (engine === undefined) return { passed: 0, failed: 0, failures: [] };
  // The longer middle sizes repeat rotations, requests and kills of other parts, which the first engine has seen.
  const FAULTS = process.env.FAULTS === 'middle' ? 'short' : process.env.FAULTS;
  const env = { ...process.env, FAULTS, MONGO_URL: engine.url };
  const result = await runSection('on DocumentDB', ENGINE_TESTS, env);
  // This engine has stopped before the second try.
  return { ...result, failures: result.failures.map(({ title, text }) => ({ title, text })) };
}

/** The tests use a real Redis, which is installed if possible. */
async function provideRedis() {
  const title = await whyNoRedis(say);
  if (title !== undefined) finish({ results: [{ passed: 0, failed: 1, failures: [{ title, text: '' }] }] });
}

/**
 * Installs the browser first. Otherwise two sections would install it at once, and a test would time out. If it cannot
 * be installed, those tests report it.
 */
async function provideChromium() {
  const script = join(ROOT, 'test', 'support', 'provide-chromium.ts');
  await run(process.execPath, ['--import=tsx', '--conditions=source', script]);
}

/** Prints failures last: first with their output, then by name only. */
function finish({ results, unstable = [] }) {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  const failures = results.flatMap((result) => result.failures);
  const took = results.flatMap((result) => result.took ?? []);
  const lines = [
    ...(took.length > 0 ? ['the slowest files:', ...slowestFiles(took)] : []),
    ...[...unstable, ...failures].map(({ text }) => text.trimEnd()),
    ...unstable.map(({ title }) => `UNSTABLE ${title}: failed, then passed alone`),
    ...failures.map(({ title }) => `FAILED ${title}`),
    ...(passed + failed === 0 ? ['no test ran'] : []),
    `${passed} passed, ${failed} failed`,
  ];
  process.stdout.write(`${lines.filter((line) => line !== '').join('\n')}\n`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
