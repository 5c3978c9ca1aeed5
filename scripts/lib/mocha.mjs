import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, say } from './run.mjs';

const MOCHA = join(ROOT, 'node_modules', 'mocha', 'lib', 'cli', 'cli.js');
const REPORTER = join(ROOT, 'scripts', 'lib', 'counting-reporter.mjs');
const ALL_TESTS = 'test/**/*.test.ts';
/** After the last test, everything that tests opened must be closed; then the process ends by itself. */
const LEAK_WAIT_MS = 15_000;

/**
 * Runs mocha with its usual output; resolves to what it counted. A run that ends before its summary, or whose
 * process does not end, counts as one more failure.
 */
export async function runMocha(args, { env = process.env, specs = [ALL_TESTS] } = {}) {
  // Files or patterns given by hand take the place of all tests.
  const chosen = args.some((arg) => /^(\.\/)?test\//.test(arg));
  const nodeArgs = ['--import=tsx', '--conditions=source', MOCHA, '--reporter', REPORTER];
  const child = spawn(process.execPath, [...nodeArgs, ...args, ...(chosen ? [] : specs)], {
    cwd: ROOT,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));

  let counts;
  let leak = false;
  let timer;
  createInterface({ input: child.stdio[3] }).on('line', (line) => {
    counts = JSON.parse(line);
    timer = setTimeout(() => {
      leak = true;
      say(
        'the tests are over but their process does not end: some test left a server, socket, timer or process open',
      );
      child.kill('SIGKILL');
    }, LEAK_WAIT_MS);
  });
  const code = await new Promise((resolve) => child.once('close', (exit) => resolve(exit ?? 1)));
  clearTimeout(timer);
  return judge({ counts, leak, code });
}

function judge({ counts, leak, code }) {
  if (counts === undefined) {
    say(`mocha ended with code ${code} before its summary; that counts as a failure`);
    return { passed: 0, failed: 1 };
  }
  const { passed, failed } = counts;
  const unexplained = leak || (code !== 0 && failed === 0);
  return { passed, failed: failed + (unexplained ? 1 : 0) };
}
